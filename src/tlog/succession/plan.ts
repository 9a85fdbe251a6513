import { currentLog } from '../../../projections/log/former.js';
import { keyLeaves, leaves, logState } from '../../../projections/log/queries.js';
import type { Database } from '../../database/database.js';
import { toHex, toUtf8 } from '../../verifier/bytes.js';
import { readKeyLeaf } from '../../verifier/keys.js';
import type { VerifierKey } from '../../verifier/note.js';
import { readSuccession, successorNumber } from '../../verifier/succession.js';
import { historyOf } from '../keys.js';
import { type FoundKeys, type KeyStore, RefusesToSign } from '../signer.js';
import type { LastSigned } from '../turn.js';
import { type Loss, lossOf } from './loss.js';
import { readWholeLog } from './whole-log.js';

/** A log that is about to follow the one whose keys are in a directory. */
export interface NewLog extends Loss {
  readonly origin: string;
  /** The number of the log that ends: 1 for the first one of an installation. */
  readonly ends: number;
  /** Keys that the kept part of the log shows in use, also those that have been retired in the part that is lost. */
  readonly inUse: readonly VerifierKey[];
}

/** The current log of the store, and how many of its leaves stay public when it ends. */
export interface EndedLog {
  readonly log: number;
  readonly kept: number;
}

/** The first step that is left to do; all later ones come after it. */
export type Plan =
  | { readonly step: 'nothing is lost' }
  /** Nothing was done yet. */
  | { readonly step: 'keys'; readonly next: NewLog; readonly ended: EndedLog }
  /** The new key and the succession are beside the store, and the store does not have them. */
  | { readonly step: 'entry'; readonly ended: EndedLog }
  /** The new log has begun, and has no checkpoint. */
  | { readonly step: 'checkpoint' };

interface Stored {
  /** The origin of the current log of the store; null when it has no leaf. */
  readonly origin: string | null;
  readonly log: number;
  readonly hasCheckpoint: boolean;
}

/**
 * Finds out what a succession would say, or where one was interrupted. Nothing is written.
 * @param known checkpoints of the log whose keys are in the directory, besides the record of the directory itself
 * @throws RefusesToSign when the keys are missing or cannot be used, or are those of another log
 */
export async function planSuccession(
  { database, keys }: { readonly database: Database; readonly keys: Pick<KeyStore, 'place' | 'read' | 'record'> },
  known: readonly LastSigned[],
): Promise<Plan> {
  const found = keys.read();
  if (!found) throw withoutKeys(keys.place);
  const stored = await readStored(database);
  const recorded = keys.record();
  if (stored.origin === found.origin) {
    if (!stored.hasCheckpoint && found.succession !== null) return { step: 'checkpoint' };
    return planLoss(database, found, stored, recorded ? [recorded, ...known] : known);
  }
  if (found.succession === null && stored.origin !== null) throw ofAnotherLog(keys.place, found, stored.origin);
  const hasSigned = recorded !== null && recorded.size > 0;
  if (found.succession !== null && !hasSigned) return planEntry(database, keys.place, found.succession, stored);
  return planLoss(database, found, stored, recorded ? [recorded, ...known] : known);
}

async function readStored(database: Database): Promise<Stored> {
  return database.read(async (tx) => {
    const [[first], state, { log }] = await Promise.all([leaves(tx, 0, 1), logState(tx), currentLog(tx)]);
    return {
      origin: first ? readKeyLeaf(toUtf8(first.leaf)).key.name : null,
      log,
      hasCheckpoint: state.latest !== undefined,
    };
  });
}

/**
 * The loss of the log whose keys are here. When the store has an earlier one, from before a succession, the whole log of the keys is
 * lost, and of the earlier one all that was signed stays.
 */
async function planLoss(
  database: Database,
  found: FoundKeys,
  stored: Stored,
  known: readonly LastSigned[],
): Promise<Plan> {
  const isStored = stored.origin === found.origin;
  const whole = await readWholeLog(database, isStored ? known.map(({ size }) => size) : []);
  const loss = lossOf(isStored ? whole : { size: 0, roots: new Map(), signed: [] }, known);
  if (!loss) return { step: 'nothing is lost' };
  const ends = (found.succession === null ? null : successorNumber(found.origin)?.log) ?? 1;
  const first = found.succession === null ? found.origin : (successorNumber(found.origin)?.first ?? found.origin);
  const shown = isStored ? await database.read((tx) => keyLeaves(tx, loss.kept.size)) : [];
  const sound = historyOf(shown)
    .sound()
    .map(({ key }) => key);
  const wholeSizes = whole.signed.filter(({ size, root }) => whole.roots.get(size) === root).map(({ size }) => size);
  return {
    step: 'keys',
    next: {
      ...loss,
      ends,
      origin: `${first}/${ends + 1}`,
      inUse: sound.filter(({ retiredAfter }) => retiredAfter === undefined),
    },
    ended: { log: stored.log, kept: isStored ? loss.kept.size : Math.max(0, ...wholeSizes) },
  };
}

/** @throws RefusesToSign when the store has changed since the succession was written */
async function planEntry(database: Database, place: string, leaf: string, stored: Stored): Promise<Plan> {
  const { from, kept } = readSuccession(toUtf8(leaf));
  const whole = await readWholeLog(database, [kept.size]);
  if (stored.origin !== from.origin) {
    const sizes = whole.signed.filter(({ size, root }) => whole.roots.get(size) === root).map(({ size }) => size);
    return { step: 'entry', ended: { log: stored.log, kept: Math.max(0, ...sizes) } };
  }
  if (kept.size > 0 && whole.roots.get(kept.size) !== toHex(kept.root)) {
    throw new RefusesToSign(
      'wrong keys',
      `The succession in ${place} was begun for a store that has the first ${kept.size} leaves of ${from.origin}, and this one has not. ` +
        `Nothing of the new log was published. Put the file signing-keys.*.json with the largest number back as signing-keys.json there, and repeat the command.`,
    );
  }
  return { step: 'entry', ended: { log: stored.log, kept: kept.size } };
}

const withoutKeys = (place: string): RefusesToSign =>
  new RefusesToSign(
    'keys missing',
    `The signing keys are not in ${place}. Only a key of the log that has ended can name the log that follows, so put their backup there. Without any copy of the keys there is no successor: start a new log with another BASE_URL, and inform those who follow the old one.`,
  );

const ofAnotherLog = (place: string, { origin }: FoundKeys, stored: string): RefusesToSign =>
  new RefusesToSign(
    'wrong keys',
    `The signing keys in ${place} are of the log ${origin}, and the log in this store is ${stored}. Put the key file of this log there; nothing was changed.`,
  );

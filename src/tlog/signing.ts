import type { LogHead } from '../../projections/log/queries.js';
import { fromHex, toHex } from '../verifier/bytes.js';
import { type LogEvent, type RecordInLog, whileLogMoves } from './record.js';
import { faultOfStore, type KeyStore, RefusesToSign, type SigningKey, signedNote } from './signer.js';
import {
  hashOfTurn,
  type LastSigned,
  type Named,
  type SigningRecord,
  type Standing,
  type StoredRecord,
  standingOf,
} from './turn.js';

/** The log as the signer sees it at one moment. */
interface ChainState extends Named {
  readonly head: LogHead;
  /** The number of leaves. */
  readonly size: number;
}

/** The log in the store, for its signer. */
export interface SignedChain {
  /** Everything in it is durable. */
  state(): Promise<ChainState>;
  /** Whether the chain has ever named one of these hashes of turns. */
  anyTurn(hashes: readonly string[]): Promise<boolean>;
  /** The root of the first `size` leaves. */
  rootAt(size: number): Promise<Uint8Array>;
  readonly append: RecordInLog;
}

export interface SigningParts {
  readonly keys: KeyStore;
  readonly chain: SignedChain;
}

/** A record by which its directory signs: `turn` is the next one. */
interface Held extends SigningRecord {
  readonly turn: string;
}

/** Leaves that are appended for the next signature. */
export interface Extension {
  /** The end of the chain that the leaves were decided on. */
  readonly seen: LogHead;
  readonly leaves: readonly LogEvent[];
  /** The size of the log with them. */
  readonly size: number;
}

interface Extending {
  /** The leaves that are new, or null. It may append more before, in commits of its own. */
  extension(): Promise<Extension | null>;
  /** The keys that sign the log as it is then. */
  signingKeys(): Promise<readonly SigningKey[]>;
}

/**
 * Appends what is new, and signs it. After a crash between any two of these steps, they are repeated from the first:
 *
 * 1. `hold` completes the record of this directory.
 * 2. `claim` appends leaves and names the next turn, in one commit. Of several directories that know it, one gets through.
 * 3. `hold` puts that turn into the record, with the size and root that are about to be signed.
 * 4. `publish` signs, and appends the note.
 *
 * Two directories never sign different trees: one of them knows the turn that the chain names, and its record has the largest
 * tree that any of them may have signed.
 * @throws RefusesToSign when this directory does not know that turn, or the store lacks what the record has
 * @throws LogMoved
 */
export function signNext(parts: SigningParts, { extension, signingKeys }: Extending): Promise<void> {
  return parts.keys.exclusively(async () => {
    const held = await hold(parts);
    const next = await extension();
    if (next) await claim(parts, held, next);
    await publish(parts, await hold(parts), await signingKeys());
  });
}

/**
 * Names two new turns without a signature, when a process starts. If the directory is a copy, or there is a copy of it, only one
 * of the two knows the turn from then on. Two, because a copy knows the next turn too.
 * @throws RefusesToSign as `signNext` does
 * @throws LogMoved
 */
export function renew(parts: SigningParts): Promise<void> {
  const { keys, chain } = parts;
  return keys.exclusively(async () => {
    for (let named = 0; named < 2; named += 1) {
      const held = await hold(parts);
      // A log without turns gets its first one with its next signature.
      if (held.before === null) return;
      await claim(parts, held, { seen: (await chain.state()).head, leaves: [], size: held.size });
    }
    await hold(parts);
  });
}

/**
 * Brings the record of this directory up to the turn that the chain has named last. The caller has the directory alone.
 * @throws RefusesToSign when this directory does not know that turn, or the store lacks what the record has
 */
export async function hold(parts: SigningParts): Promise<Held> {
  const { keys, chain } = parts;
  // Read first: what is signed meanwhile is in the log already.
  const record = keys.record();
  const state = await chain.state();
  await requireExtension(parts, record, state);
  const standing = standingOf(record, state);
  if (record === null || standing === 'without') throw elsewhere(keys.place);
  const { size, root, turn, before } = record;
  if (standing !== 'named') {
    if (typeof turn === 'string') return { size, root, turn, before: before ?? null };
    return written(keys, { size, root, turn: keys.newTurn(), before: null });
  }
  // The chain names the one of the two that the directory has not signed by yet.
  const named = turn ?? before ?? null;
  const signs = await largest(parts, record, state);
  return written(keys, { ...signs, turn: keys.newTurn(), before: named });
}

function written(keys: KeyStore, held: Held): Held {
  keys.write(held);
  return held;
}

/** The right of this directory to sign now. @throws RefusesToSign when the store lacks what the record has */
export async function standing(parts: SigningParts): Promise<Standing> {
  const record = parts.keys.record();
  const state = await parts.chain.state();
  await requireExtension(parts, record, state);
  return standingOf(record, state);
}

/** The tree of the record, of the newest turn or of the newest checkpoint: the largest of them. */
export async function largest(
  { chain }: SigningParts,
  record: StoredRecord | null,
  { newest, latest }: ChainState,
): Promise<LastSigned> {
  const size = Math.max(newest?.size ?? 0, latest?.size ?? 0);
  if (record !== null && record.size >= size) return { size: record.size, root: record.root };
  return { size, root: toHex(await chain.rootAt(size)) };
}

function claim({ chain }: SigningParts, { turn }: Held, { seen, leaves, size }: Extension): Promise<void> {
  return chain.append(seen, ...leaves, { kind: 'log.turn', body: { turn: hashOfTurn(turn), size, reason: 'signing' } });
}

/**
 * Signs what the record says, and appends the note, unless the chain has it. A crash between the two signs the same text again.
 * @throws RefusesToSign when there is no key
 */
async function publish(
  { keys, chain }: SigningParts,
  { size, root, before }: Held,
  signingKeys: readonly SigningKey[],
): Promise<void> {
  const isLacking = ({ newest, latest }: ChainState) =>
    before !== null && newest?.turn === hashOfTurn(before) && size > (latest?.size ?? 0);
  if (!isLacking(await chain.state())) return;
  const note = signedNote(keys, signingKeys, { size, root: fromHex(root) });
  await whileLogMoves(async () => {
    const state = await chain.state();
    // When the chain names another turn, the next checkpoint covers this one.
    if (isLacking(state)) await chain.append(state.head, { kind: 'checkpoint.signed', body: { size, root, note } });
  });
}

/** @throws RefusesToSign when the log in the store lacks leaves of the record, or has others */
export async function requireExtension(
  { keys, chain }: SigningParts,
  record: StoredRecord | null,
  { size, latest }: ChainState,
): Promise<void> {
  if (record?.size === latest?.size && record?.root === toHex(latest?.root ?? new Uint8Array())) return;
  const fault = await faultOfStore(keys.place, record, { size, rootAt: chain.rootAt });
  if (fault !== null) throw new RefusesToSign('store behind', fault);
}

/** Says that another directory has the turn, or none. */
export const elsewhere = (place: string): RefusesToSign =>
  new RefusesToSign(
    'turn elsewhere',
    `The directory ${place} may not sign the log: the right to sign it is in another directory of keys. Start the process that uses ` +
      'that directory. If it is lost: counterfoil log take-over',
  );

/** Whether an error says that another directory has the turn, or none. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof RefusesToSign && error.reason === 'turn elsewhere';

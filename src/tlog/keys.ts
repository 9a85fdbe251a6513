import { keyLeaves, type LeafRow, logState } from '../../projections/log/queries.js';
import type { Database } from '../database/database.js';
import { toBase64, toUtf8 } from '../verifier/bytes.js';
import { faultOfKey, type KeyHistory, openKeyHistory, type SoundKey } from '../verifier/key-history.js';
import { isSameKey, readKeyEvent, readKeyLeaf } from '../verifier/keys.js';
import type { VerifierKey } from '../verifier/note.js';
import { attempt } from '../verifier/unreadable.js';
import { endedBytes, type KeyEndLeaf, keyEndLeaf } from './leaves.js';
import type { RecordInLog } from './record.js';
import { type FoundKeys, foundKeys, type KeyStore, RefusesToSign, type SigningKey } from './signer.js';

/** The history of the log's keys according to its leaves. Leaves with a permanent fault are left to verifiers. */
export function historyOf(leaves: readonly Pick<LeafRow, 'index' | 'leaf'>[]): KeyHistory {
  const history = openKeyHistory();
  for (const { leaf, index } of leaves) {
    const event = attempt(() => readKeyEvent(toUtf8(leaf)));
    if (typeof event !== 'string') history.take(index, event);
  }
  return history;
}

/**
 * Whether the keys in the key file may be recorded in this log and sign it. One wrong leaf could never be taken back, so this is
 * asked before anything is written.
 * @returns null when they may, or a sentence that says what to do
 */
export function faultOfKeys(
  place: string,
  { origin, keys, succession }: FoundKeys,
  history: KeyHistory,
): string | null {
  const [first] = history.sound();
  if (!first) return null;
  const remedy = `Put the key file of this log back there; nothing was changed.`;
  if (origin !== first.key.name) {
    if (succession !== null) {
      return `The signing keys in ${place} are of the log ${origin}, and the log in this store is ${first.key.name}, which is older. If its succession was interrupted, or a store from before it was restored: counterfoil log succeed`;
    }
    return `The signing keys in ${place} are of the log ${origin}, and the log in this store is ${first.key.name}. ${remedy}`;
  }
  let there: readonly SoundKey[] = history.sound();
  for (const { signer, leaf } of keys) {
    const standing = there.find(({ key }) => isSameKey(key, signer.key));
    if (standing?.key.retiredAfter !== undefined) {
      return `Key ${signer.key.id} in ${place} was retired in the log of this store, and the key file does not know it. Put its newest backup there; nothing was changed.`;
    }
    if (standing) continue;
    const key = readKeyLeaf(toUtf8(leaf));
    const fault = faultOfKey(key, there);
    if (fault !== null) return `Key ${signer.key.id} in ${place} ${fault} of the log in this store. ${remedy}`;
    there = [...there, { ...key, index: -1 }];
  }
  return null;
}

interface LogKeysParts {
  readonly database: Database;
  readonly record: RecordInLog;
  readonly keys: KeyStore;
}

/**
 * Keys that were made since go into the log, where everybody sees them before they are used, and so does the end of those
 * that were retired or disowned since.
 * @throws RefusesToSign
 */
export async function recordKeys({ database, record, keys }: LogKeysParts): Promise<void> {
  const { head, size, latest, leaves } = await database.read(async (tx) => {
    const state = await logState(tx);
    return { ...state, leaves: await keyLeaves(tx, state.size) };
  });
  const found = foundKeys(keys, size);
  const history = historyOf(leaves);
  const fault = faultOfKeys(keys.place, found, history);
  if (fault !== null) throw new RefusesToSign('wrong keys', fault);
  const added = found.keys
    .filter(({ signer }) => !history.sound().some(({ key }) => isSameKey(key, signer.key)))
    .map(({ leaf }) => ({ kind: 'log.key_added' as const, leaf }));
  const ended = endsOf(found, history, latest?.size ?? 0).map((leaf) => ({ kind: 'log.key_ended' as const, leaf }));
  const events = [...added, ...ended].map(({ kind, leaf }, i) => ({ kind, body: { index: size + i, leaf } }));
  if (events.length > 0) await record(head, ...events);
}

/** Leaves about the keys that have ended since, signed by all others that the log has. */
function endsOf({ origin, keys, ended }: FoundKeys, history: KeyHistory, signed: number): string[] {
  const signers = keys.filter(({ signer }) => history.sound().some(({ key }) => isSameKey(key, signer.key)));
  if (signers.length === 0) return [];
  const has = (all: readonly { readonly key: VerifierKey }[], key: VerifierKey) =>
    all.some((one) => isSameKey(one.key, key) && one.key.retiredAfter === undefined);
  return ended.flatMap(({ reason, key }) => {
    if (!has(reason === 'retired' ? history.sound() : history.unsound(), key)) return [];
    const after = reason === 'retired' ? signed : 0;
    const members = { reason, after, log: origin, name: key.name, publicKey: toBase64(key.publicKey) };
    return [signedEnd(members, signers)];
  });
}

function signedEnd(members: Omit<KeyEndLeaf, 'endorsements'>, signers: readonly SigningKey[]): string {
  const message = endedBytes({ ...members, endorsements: [] });
  const endorsements = signers.map(({ signer }) => ({
    key_id: signer.key.id,
    signature: toBase64(signer.sign(message)),
  }));
  return keyEndLeaf({ ...members, endorsements });
}

import { logChain } from '../../contracts/log.js';
import {
  type ChangedHead,
  type CheckpointRow,
  changedHeads,
  keyLeaves,
  type LogState,
  latestCheckpoint,
  logLeafHashes,
  logState,
} from '../../projections/log/queries.js';
import type { Database, Transaction } from '../adapters/database/database.js';
import { entryHashes } from '../ledger/entry-hashes.js';
import { isSameKey } from '../verifier/keys.js';
import { historyOf, recordKeys } from './keys.js';
import { headLeaf, tagOf } from './leaves.js';
import { LogMoved, type RecordInLog, whileLogMoves } from './record.js';
import { refusalToSign } from './refusal.js';
import { foundKeys, type KeyStore, type RefusesToSign, type SigningKey, signCheckpoint } from './signer.js';
import { treeRoot } from './tree.js';
import { growTree, outgrown, storedTiles } from './tree-store.js';

/** Heads that go into the log with one entry, which has some 300 KB then. */
const headsAtOnce = 1000;
/** Heads whose roots are read in one transaction, which on the embedded database everybody else waits for. */
const rootsAtOnce = 50;

export interface TransparencyLogParts {
  readonly database: Database;
  readonly record: RecordInLog;
  readonly keys: KeyStore;
}

export interface TransparencyLog {
  /**
   * Puts every changed workspace head into the log and signs a checkpoint over it. Nothing happens when nothing has
   * changed. Everything that was written before the call is under it; those who call while one is made share the next.
   * @returns the newest checkpoint, or undefined when there is nothing to sign
   * @throws RefusesToSign
   */
  checkpoint(): Promise<CheckpointRow | undefined>;
  /** The newest checkpoint as it is. */
  latest(): Promise<CheckpointRow | undefined>;
  /** Why this process cannot sign a log that has been begun: its keys are not there, or cannot be used. Null when it can. */
  withoutKeys(): Promise<string | null>;
  /** Why the log would not be signed now, or null. Writes nothing. */
  refusal(): Promise<RefusesToSign | null>;
}

/**
 * A crash leaves heads in the log without a checkpoint over them, or a checkpoint that is remembered as signed and that
 * was never published; the next call signs the same tree.
 */
export function createTransparencyLog(parts: TransparencyLogParts): TransparencyLog {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<CheckpointRow | undefined> | undefined;
  return {
    checkpoint() {
      if (waiting) return waiting;
      const begun = last.then(() => {
        // Later callers may have written entries that this one no longer sees.
        waiting = undefined;
        return whileLogMoves(() => extendAndSign(parts));
      });
      waiting = begun;
      last = begun.catch(() => undefined);
      return begun;
    },
    latest: () => parts.database.read(latestCheckpoint),
    async withoutKeys() {
      const { size } = await parts.database.read(logState);
      try {
        // The first checkpoint of a new log makes the keys.
        if (size > 0) foundKeys(parts.keys, size);
        return null;
      } catch (error) {
        // Files may cause any error, and its message says what must be repaired.
        return error instanceof Error ? error.message : String(error);
      }
    },
    refusal: () => refusalToSign(parts),
  };
}

async function extendAndSign(parts: TransparencyLogParts): Promise<CheckpointRow | undefined> {
  const refusal = await refusalToSign(parts);
  if (refusal) throw refusal;
  await recordKeys(parts);
  await addHeads(parts);
  return sign(parts);
}

async function addHeads({ database, record }: TransparencyLogParts): Promise<void> {
  for (;;) {
    const { state, changed } = await database.read(async (tx) => ({
      state: await logState(tx),
      changed: await changedHeads(tx, headsAtOnce),
    }));
    if (changed.length === 0) return;
    const heads = [];
    for (let at = 0; at < changed.length; at += rootsAtOnce) {
      heads.push(...(await headsOf(database, changed.slice(at, at + rootsAtOnce))));
    }
    await record(state.seq, { kind: 'log.heads_added', body: { from: state.size, heads } });
    if (changed.length < headsAtOnce) return;
  }
}

/** Few of those that change have a tile more than before. All others are read together. */
async function headsOf(database: Database, changed: readonly ChangedHead[]) {
  const trees = changed.map(({ workspace_id: tree, size }) => ({ tree, size }));
  const growing = await database.read((tx) => outgrown(tx, trees));
  for (const { tree, size } of growing) await growTree(database, tree, size, entryHashes);
  return database.read((tx) => Promise.all(changed.map((head) => headOf(tx, head))));
}

async function headOf(tx: Transaction, { workspace_id, size, head_hash, tag_key }: ChangedHead) {
  const root = await treeRoot(storedTiles(tx, workspace_id, entryHashes), size);
  const tag = tagOf(tag_key, workspace_id);
  const leaf = headLeaf({ tag, size, root: Buffer.from(root).toString('hex'), headHash: head_hash });
  return { workspace_id, size, leaf };
}

async function sign(parts: TransparencyLogParts): Promise<CheckpointRow | undefined> {
  const { database, record, keys } = parts;
  const state = await database.read(logState);
  if (state.size === 0 || state.latest?.size === state.size) return state.latest;
  const { size } = state;
  await growTree(database, logChain, size, logLeafHashes);
  const rootAt = (earlier: number) =>
    database.read((tx) => treeRoot(storedTiles(tx, logChain, logLeafHashes), earlier));
  const root = await rootAt(size);
  const note = await signCheckpoint(keys, await signing(parts, state), { size, root, rootAt });
  if (note === null) throw new LogMoved();
  const body = { size, root: Buffer.from(root).toString('hex'), note };
  await record(state.seq, { kind: 'checkpoint.signed', body });
  return database.read(latestCheckpoint);
}

/** Keys that a signed checkpoint has shown already. Of a log without a checkpoint, the first one. */
async function signing(
  { database, keys }: TransparencyLogParts,
  { latest, size }: LogState,
): Promise<readonly SigningKey[]> {
  const history = historyOf(await database.read((tx) => keyLeaves(tx, size)));
  const shown = history.sound().filter(({ index }) => index < (latest?.size ?? 1));
  return foundKeys(keys, size).keys.filter(({ signer }) => shown.some(({ key }) => isSameKey(key, signer.key)));
}

import {
  anyTurn,
  type ChangedHead,
  type CheckpointRow,
  changedHeads,
  keyLeaves,
  latestCheckpoint,
  logState,
} from '../../projections/log/queries.js';
import type { Database, Transaction } from '../database/database.js';
import { entryHashes } from '../ledger/entry-hashes.js';
import { isSameKey } from '../verifier/keys.js';
import { historyOf, recordKeys } from './keys.js';
import { headLeaf, tagOf } from './leaves.js';
import { type LogEvent, type RecordInLog, whileLogMoves } from './record.js';
import { refusalToSign } from './refusal.js';
import { foundKeys, type KeyStore, type RefusesToSign, type SigningKey } from './signer.js';
import { type Extension, isElsewhere, type SigningParts, signNext } from './signing.js';
import { treeRoot } from './tree.js';
import { growTree, logRoot, outgrown, storedTiles } from './tree-store.js';

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
   * @throws RefusesToSign, also when another directory of keys has the turn and there is something to sign
   */
  checkpoint(): Promise<CheckpointRow | undefined>;
  /** The newest checkpoint as it is. */
  latest(): Promise<CheckpointRow | undefined>;
  /** Why this process cannot sign a log that has been begun: its keys are not there, or cannot be used. Null when it can. */
  withoutKeys(): Promise<string | null>;
  /** Why the log would not be signed now, or null. Writes nothing. */
  refusal(): Promise<RefusesToSign | null>;
}

/** `signNext` describes what a crash leaves. */
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

/** The log in the store, as its signer sees it. */
export function signingParts({ database, record, keys }: TransparencyLogParts): SigningParts {
  return {
    keys,
    chain: {
      state: () => database.read(logState),
      anyTurn: (hashes) => database.read((tx) => anyTurn(tx, hashes)),
      rootAt: (size) => logRoot(database, size),
      append: record,
    },
  };
}

async function extendAndSign(parts: TransparencyLogParts): Promise<CheckpointRow | undefined> {
  const { database, keys } = parts;
  const refusal = await refusalToSign(parts);
  if (refusal) throw refusal;
  const { size } = await database.read(logState);
  // Makes the keys of a new log.
  await keys.exclusively(async () => foundKeys(keys, size));
  try {
    await signNext(signingParts(parts), {
      async extension() {
        await recordKeys(parts);
        return newHeads(parts);
      },
      signingKeys: () => keysShown(parts),
    });
  } catch (error) {
    if (!isElsewhere(error) || !(await database.read(isSigned))) throw error;
  }
  return database.read(latestCheckpoint);
}

/** Whether the newest checkpoint covers everything. */
async function isSigned(tx: Transaction): Promise<boolean> {
  const { size, latest } = await logState(tx);
  return size === (latest?.size ?? 0) && (await changedHeads(tx, 1)).length === 0;
}

/** The changed heads that are new, or all leaves that no turn was named for. Heads that do not fit into one entry are appended before. */
async function newHeads({ database, record }: TransparencyLogParts): Promise<Extension | null> {
  for (;;) {
    const { state, changed } = await database.read(async (tx) => ({
      state: await logState(tx),
      changed: await changedHeads(tx, headsAtOnce),
    }));
    const { head: seen, size, latest, newest } = state;
    if (changed.length === 0 && size <= (newest?.size ?? latest?.size ?? 0)) return null;
    const leaves = changed.length === 0 ? [] : [await headsEvent(database, size, changed)];
    if (changed.length < headsAtOnce) return { seen, leaves, size: size + changed.length };
    await record(seen, ...leaves);
  }
}

async function headsEvent(database: Database, from: number, changed: readonly ChangedHead[]): Promise<LogEvent> {
  const heads = [];
  for (let at = 0; at < changed.length; at += rootsAtOnce) {
    heads.push(...(await headsOf(database, changed.slice(at, at + rootsAtOnce))));
  }
  return { kind: 'log.heads_added', body: { from, heads } };
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

/** Keys that a signed checkpoint has shown already. Of a log without a checkpoint, the first one. */
async function keysShown({ database, keys }: TransparencyLogParts): Promise<readonly SigningKey[]> {
  const { size, shown } = await database.read(async (tx) => {
    const { size, latest } = await logState(tx);
    const sound = historyOf(await keyLeaves(tx, size)).sound();
    return { size, shown: sound.filter(({ index }) => index < (latest?.size ?? 1)) };
  });
  return foundKeys(keys, size).keys.filter(({ signer }) => shown.some(({ key }) => isSameKey(key, signer.key)));
}

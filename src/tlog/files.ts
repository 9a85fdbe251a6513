import { treeOfLog } from '../../contracts/log.js';
import {
  currentLog,
  formerCheckpoint,
  formerKeyLeaves,
  formerLeafHashes,
  formerLeaves,
} from '../../projections/log/former.js';
import { keyLeaves, latestCheckpoint, leaves, logLeafHashes } from '../../projections/log/queries.js';
import type { Transaction } from '../database/database.js';
import { entryHashes } from '../ledger/entry-hashes.js';
import { concat, toUtf8 } from '../verifier/bytes.js';
import type { KeyHistory } from '../verifier/key-history.js';
import { isSameKey, type LoggedKey } from '../verifier/keys.js';
import { keyEventOf } from '../verifier/leaf.js';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../verifier/note.js';
import { historyOf } from './keys.js';
import { parseTilePath, type TilePath } from './tile-path.js';
import { consistencyProof, tileWidth, treeRoot } from './tree.js';
import { type LeafHashes, storedTiles } from './tree-store.js';

/** A key that signs, or once signed, the log's checkpoints. */
interface LogKey {
  readonly id: string;
  readonly name: string;
  /** The key in the form of C2SP signed notes, for verifiers. */
  readonly verifier_key: string;
  readonly not_before: string;
  /** Its position in the log. */
  readonly index: number;
  /**
   * `retired`: it signs no checkpoint of more than `retired_after` leaves. `disowned` and `unvouched`: its leaf came into
   * the log by mistake, and the log has said so, or not yet; it signs nothing.
   */
  readonly state: 'in use' | 'retired' | 'disowned' | 'unvouched';
  readonly retired_after: number | null;
}

/** A key by which the log's checkpoints can be checked, with how far it signs. */
export function trustedKey({ verifier_key, retired_after }: LogKey): VerifierKey {
  const key = parseVerifierKey(verifier_key);
  return retired_after === null ? key : { ...key, retiredAfter: retired_after };
}

/** The files of one log, which anyone may read (C2SP tlog-tiles). */
export interface OneLogFiles {
  /** The newest signed note, or undefined before the first. */
  checkpoint(): Promise<string | undefined>;
  /** Oldest first. */
  keys(): Promise<readonly LogKey[]>;
  /** The bytes of `tile/…`, or undefined for what the newest checkpoint does not cover. */
  tile(path: string): Promise<{ readonly bytes: Uint8Array; readonly complete: boolean } | undefined>;
}

/** The files of the transparency log, and of the logs before it that have lost leaves. */
export interface LogFiles extends OneLogFiles {
  /** Up to the last checkpoint of which the store still had every leaf. Of a log that there never was, nothing. */
  former(log: number): OneLogFiles;
  /** See `SuccessorSource.growth`. Undefined where there is no such head, or it has fewer entries. */
  growth(index: number, from: number): Promise<Uint8Array | undefined>;
}

type Read = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** A log as its files show it. */
interface ShownLog {
  readonly note: string | undefined;
  /** Leaves under the note. */
  readonly size: number;
  readonly tree: string;
  readonly leafHashes: LeafHashes;
  leaves(tx: Transaction, from: number, to: number): Promise<readonly ShownLeaf[]>;
  keyLeaves(tx: Transaction): Promise<readonly ShownLeaf[]>;
}

interface ShownLeaf {
  readonly index: number;
  readonly leaf: string;
}

export function createLogFiles(read: Read): LogFiles {
  return {
    ...filesOf(read, currentShown),
    former: (log) => filesOf(read, (tx) => formerShown(tx, log)),
    growth: (index, from) => read((tx) => growthTo(tx, index, from)),
  };
}

async function currentShown(tx: Transaction): Promise<ShownLog> {
  const [latest, { tree }] = await Promise.all([latestCheckpoint(tx), currentLog(tx)]);
  const size = latest?.size ?? 0;
  return { note: latest?.note, size, tree, leafHashes: logLeafHashes, leaves, keyLeaves: (tx) => keyLeaves(tx, size) };
}

async function formerShown(tx: Transaction, log: number): Promise<ShownLog> {
  const kept = await formerCheckpoint(tx, log);
  return {
    note: kept?.note,
    size: kept?.size ?? 0,
    tree: treeOfLog(log),
    leafHashes: formerLeafHashes(log),
    leaves: (tx, from, to) => formerLeaves(tx, log, from, to),
    keyLeaves: (tx) => formerKeyLeaves(tx, log),
  };
}

function filesOf(read: Read, shown: (tx: Transaction) => Promise<ShownLog>): OneLogFiles {
  const keysOf = remembering(keysAmong);
  return {
    checkpoint: async () => (await read(shown)).note,
    keys: () => read(async (tx) => keysOf(await (await shown(tx)).keyLeaves(tx))),
    async tile(path) {
      const tile = parseTilePath(path);
      if (!tile) return undefined;
      const bytes = await read(async (tx) => {
        const log = await shown(tx);
        return tile.width <= widthOf(tile, log.size) ? tileBytes(tx, log, tile) : undefined;
      });
      return bytes && { bytes, complete: tile.width === tileWidth };
    },
  };
}

/**
 * Does not work again on leaves that are those of the last time. Each endorsement of a key takes some milliseconds, the keys
 * change once in years, and anybody may ask for them.
 */
function remembering(work: (leaves: readonly ShownLeaf[]) => readonly LogKey[]): typeof work {
  let last: { readonly leaves: string; readonly keys: readonly LogKey[] } | null = null;
  return (rows) => {
    const leaves = rows.map(({ index, leaf }) => `${index} ${leaf}`).join('\n');
    if (last?.leaves !== leaves) last = { leaves, keys: work(rows) };
    return last.keys;
  };
}

function keysAmong(leaves: readonly ShownLeaf[]): readonly LogKey[] {
  const history = historyOf(leaves);
  return leaves.flatMap(({ leaf, index }) => {
    const event = keyEventOf(toUtf8(leaf));
    return event?.type === 'key' ? [logKey(event, index, history)] : [];
  });
}

function logKey({ key, notBefore }: LoggedKey, index: number, history: KeyHistory): LogKey {
  const { retiredAfter } = history.sound().find((one) => one.index === index)?.key ?? { retiredAfter: 0 };
  const isSound = history.sound().some((one) => one.index === index);
  const isDisowned = history.disowned().some((one) => isSameKey(one, key));
  const ended = retiredAfter === undefined ? 'in use' : 'retired';
  return {
    id: key.id,
    name: key.name,
    verifier_key: formatVerifierKey(key),
    not_before: notBefore,
    index,
    state: isSound ? ended : isDisowned ? 'disowned' : 'unvouched',
    retired_after: retiredAfter ?? null,
  };
}

/** How many hashes or entries a tile has in a log of this size. */
function widthOf({ level, index }: TilePath, size: number): number {
  const inLevel = level === 'entries' ? size : Math.floor(size / tileWidth ** level);
  return Math.min(tileWidth, inLevel - index * tileWidth);
}

async function tileBytes(tx: Transaction, log: ShownLog, { level, index, width }: TilePath): Promise<Uint8Array> {
  if (level !== 'entries') return storedTiles(tx, log.tree, log.leafHashes).read(level, index, width);
  const from = index * tileWidth;
  const entries = (await log.leaves(tx, from, from + width)).map(({ leaf }) => Buffer.from(leaf, 'utf8'));
  return Buffer.concat(entries.flatMap((entry) => [lengthOf(entry), entry]));
}

/** An entry is preceded by its length in two bytes, big endian. */
function lengthOf(entry: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(entry.length);
  return length;
}

/**
 * The root of the first `from` entries of a workspace, and the consistency proof from there to its head at leaf `index` of the
 * log, 32 bytes each. An auditor compares the root with that of an earlier head, also of one that this store has lost.
 * @returns undefined when no checkpoint covers such a head, or it has fewer entries
 */
async function growthTo(tx: Transaction, index: number, from: number): Promise<Uint8Array | undefined> {
  const latest = await latestCheckpoint(tx);
  if (index >= (latest?.size ?? 0)) return undefined;
  const [head] = await leaves(tx, index, index + 1);
  if (!head?.workspace_id || head.size === null || from < 1 || from > head.size) return undefined;
  const tiles = storedTiles(tx, head.workspace_id, entryHashes);
  return concat(await treeRoot(tiles, from), ...(await consistencyProof(tiles, from, head.size)));
}

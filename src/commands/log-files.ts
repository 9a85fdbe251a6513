import { logChain } from '../../contracts/log.js';
import { keyLeaves, latestCheckpoint, leaves, logLeafHashes } from '../../projections/log/queries.js';
import type { Transaction } from '../adapters/database/database.js';
import { parseTilePath, type TilePath } from '../ledger/tile-path.js';
import { tileWidth } from '../ledger/tree.js';
import { storedTiles } from '../ledger/tree-store.js';
import { formatVerifierKey, verifierKey } from '../verifier/note-key.js';

/** A key that signs, or once signed, the log's checkpoints. */
export interface LogKey {
  readonly id: string;
  readonly name: string;
  /** As C2SP signed-note writes it: what a verifier is given. */
  readonly verifier_key: string;
  readonly not_before: string;
  /** Where it stands in the log. */
  readonly index: number;
}

/** What of the public log is served to everybody (C2SP tlog-tiles). */
export interface LogFiles {
  /** The newest signed note, or undefined before the first. */
  checkpoint(): Promise<string | undefined>;
  /** Oldest first. */
  keys(): Promise<readonly LogKey[]>;
  /** The bytes of `tile/…`, or undefined for what the newest checkpoint does not cover. */
  tile(path: string): Promise<{ readonly bytes: Uint8Array; readonly complete: boolean } | undefined>;
}

export function createLogFiles(read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>): LogFiles {
  return {
    checkpoint: async () => (await read(latestCheckpoint))?.note,
    keys: () =>
      read(async (tx) => {
        const latest = await latestCheckpoint(tx);
        return (await keyLeaves(tx, latest?.size ?? 0)).map(({ leaf, index }) => logKey(leaf, index));
      }),
    async tile(path) {
      const tile = parseTilePath(path);
      if (!tile) return undefined;
      const bytes = await read(async (tx) => {
        const { size = 0 } = (await latestCheckpoint(tx)) ?? {};
        return tile.width <= widthOf(tile, size) ? tileBytes(tx, tile) : undefined;
      });
      return bytes && { bytes, complete: tile.width === tileWidth };
    },
  };
}

function logKey(leaf: string, index: number): LogKey {
  const key: { name: string; public_key: string; not_before: string } = JSON.parse(leaf);
  const verifier = verifierKey(key.name, 'ed25519', Buffer.from(key.public_key, 'base64'));
  const { name, id } = verifier;
  return { id, name, verifier_key: formatVerifierKey(verifier), not_before: key.not_before, index };
}

/** How many hashes or entries a tile has in a log of this size. */
function widthOf({ level, index }: TilePath, size: number): number {
  const inLevel = level === 'entries' ? size : Math.floor(size / tileWidth ** level);
  return Math.min(tileWidth, inLevel - index * tileWidth);
}

async function tileBytes(tx: Transaction, { level, index, width }: TilePath): Promise<Uint8Array> {
  if (level !== 'entries') return storedTiles(tx, logChain, logLeafHashes).read(level, index, width);
  const from = index * tileWidth;
  const entries = (await leaves(tx, from, from + width)).map(({ leaf }) => Buffer.from(leaf, 'utf8'));
  return Buffer.concat(entries.flatMap((entry) => [lengthOf(entry), entry]));
}

/** An entry is preceded by its length in two bytes, big endian. */
function lengthOf(entry: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(entry.length);
  return length;
}

import { currentLog } from '../../projections/log/former.js';
import { logLeafHashes } from '../../projections/log/queries.js';
import type { Database, Transaction } from '../database/database.js';
import { type Completed, grow, type Tiles, tileWidth, treeRoot } from './tree.js';

/** Reads `count` leaf hashes of a tree from leaf `from` on, 32 bytes each, one behind the other. */
export type LeafHashes = (tx: Transaction, tree: string, from: number, count: number) => Promise<Uint8Array>;

/** Leaves that one transaction of `growTree` takes in: 256 tiles, half a second in PGlite. */
const step = 65_536;

/** The tiles of a tree as they are stored. Level 0 is not stored: it is where the leaves are. */
export function storedTiles(tx: Transaction, tree: string, leafHashes: LeafHashes): Tiles {
  return {
    async read(level, index, width) {
      if (level === 0) return leafHashes(tx, tree, index * tileWidth, width);
      const [row] = await tx.query<{ hashes: Uint8Array }>(
        'select substr(hashes, 1, $4 * 32) as hashes from tiles where tree = $1 and level = $2 and index = $3',
        [tree, level, index, width],
      );
      return row?.hashes ?? new Uint8Array();
    },
  };
}

/**
 * Grows a tree until it has every tile that `size` leaves complete; one of less than a tile has nothing to grow. Writes do
 * not wait for it and cost nothing more for it: a tree is grown when its head goes into the log, by all leaves that came
 * since. A crash leaves it at the last transaction, and the next call continues.
 */
export async function growTree(database: Database, tree: string, size: number, leafHashes: LeafHashes): Promise<void> {
  // Leaves behind the last complete tile are read where they are, so nothing is stored for them.
  const whole = size - (size % tileWidth);
  for (let grown = 0; grown < whole; ) {
    grown = await database.transaction(async (tx) => {
      await tx.query('insert into trees values ($1, 0) on conflict do nothing', [tree]);
      // With the lock one process grows the tree at a time; the other one finds it grown.
      const [row] = await tx.query<{ size: number }>('select size from trees where tree = $1 for update', [tree]);
      const from = row?.size ?? 0;
      const to = Math.min(whole, from + step);
      if (to <= from) return from;
      const completed: Completed[] = [];
      for await (const one of grow(storedTiles(tx, tree, leafHashes), from, to)) completed.push(one);
      for (const tile of tilesOf(completed)) await append(tx, tree, tile);
      await tx.query('update trees set size = $2 where tree = $1', [tree, to]);
      return to;
    });
  }
}

interface Sized {
  readonly tree: string;
  readonly size: number;
}

/** The trees of which not all tiles for the given number of leaves are stored yet. */
export async function outgrown(tx: Transaction, trees: readonly Sized[]): Promise<Sized[]> {
  const rows = await tx.query<{ tree: string; size: number }>(
    'select tree::text, size from trees where tree = any($1::uuid[])',
    [trees.map(({ tree }) => tree)],
  );
  const grown = new Map(rows.map(({ tree, size }) => [tree, tilesIn(size)]));
  return trees.filter(({ tree, size }) => tilesIn(size) > (grown.get(tree) ?? 0));
}

/** Complete tiles of level 0, which are what a tree is stored by. */
export const tilesIn = (leaves: number): number => Math.floor(leaves / tileWidth);

interface Growth {
  readonly level: number;
  readonly index: number;
  /** Where in its tile the first of `hashes` belongs. */
  readonly offset: number;
  readonly hashes: Uint8Array[];
}

function tilesOf(completed: readonly Completed[]): Iterable<Growth> {
  const tiles = new Map<string, Growth>();
  for (const { level, index, offset, hash } of completed) {
    const key = `${level} ${index}`;
    const tile = tiles.get(key) ?? { level, index, offset, hashes: [] };
    tile.hashes.push(hash);
    tiles.set(key, tile);
  }
  return tiles.values();
}

async function append(tx: Transaction, tree: string, { level, index, offset, hashes }: Growth): Promise<void> {
  const written = await tx.query(
    `insert into tiles as t values ($1, $2, $3, $4)
     on conflict (tree, level, index) do update set hashes = t.hashes || excluded.hashes
      where octet_length(t.hashes) = $5 * 32 returning 1`,
    [tree, level, index, Buffer.concat(hashes), offset],
  );
  if (written.length === 0)
    throw new Error(`tile ${index} of level ${level} of tree ${tree} does not end where its tree does`);
}

/** The tiles of the current log. Each log of an installation has a tree of its own. */
export async function logTiles(tx: Transaction): Promise<Tiles> {
  const { tree } = await currentLog(tx);
  return storedTiles(tx, tree, logLeafHashes);
}

/** The root of the first `size` leaves of the current log, 32 bytes. Its tree is grown so far. */
export async function logRoot(database: Database, size: number): Promise<Uint8Array> {
  const { tree } = await database.read(currentLog);
  await growTree(database, tree, size, logLeafHashes);
  return database.read((tx) => treeRoot(storedTiles(tx, tree, logLeafHashes), size));
}

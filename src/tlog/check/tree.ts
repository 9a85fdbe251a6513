import { namedFaults, type OnFault } from '../../base/faults.js';
import type { Database, Row, Transaction } from '../../database/database.js';
import { equal } from '../../verifier/bytes.js';
import { openFrontier, type Subtree } from '../../verifier/frontier.js';
import { hashLength } from '../../verifier/merkle.js';
import type { LeafHashes } from '../tree-store.js';

/** Leaves per transaction: 256 KiB of hashes, and 32 hashes of the tiles above them. */
const batchLeaves = 8192;
const [tileWidth, tileHeight] = [256, 8];

/** Something in the log that says what the tree is at one size. */
export interface Stop {
  readonly size: number;
  /** Reports what is wrong with it, given the tree's root and last leaf hash at that size. */
  check(root: Uint8Array, last: Uint8Array): void;
}

export interface TreeToCheck {
  readonly tree: string;
  /** For sentences: "the tree of workspace …". */
  readonly name: string;
  /** Leaves, as the table trees says. */
  readonly size: number;
  readonly leafHashes: LeafHashes;
  /** Where its leaves are, for sentences. */
  readonly leafTable: string;
  /** The stops at sizes above `from` up to `to`, by size. */
  stops(tx: Transaction, from: number, to: number): Promise<readonly Stop[]>;
}

/**
 * Computes a tree again from its leaf hashes, in one pass and with one hash for each height in memory. On the way it
 * compares every tile that is stored and checks every stop. It ends where a leaf is missing, because no root follows from there on.
 */
export async function checkTree(
  database: Database,
  tree: TreeToCheck,
  { found, onLeaves }: { readonly found: OnFault; readonly onLeaves: (count: number) => void },
): Promise<void> {
  const frontier = openFrontier();
  while (frontier.size() < tree.size) {
    const from = frontier.size();
    const to = Math.min(tree.size, from + batchLeaves);
    const isWhole = await database.transaction(async (tx) => {
      const hashes = await tree.leafHashes(tx, tree.tree, from, to - from);
      if (hashes.length !== (to - from) * hashLength) return false;
      const stops = new Map((await tree.stops(tx, from, to)).map((stop) => [stop.size, stop]));
      const completed: Subtree[] = [];
      for (let at = 0; at < hashes.length; at += hashLength) {
        const leaf = hashes.subarray(at, at + hashLength);
        for (const subtree of frontier.add(leaf)) if (isStored(subtree)) completed.push(subtree);
        stops.get(frontier.size())?.check(frontier.root(), leaf);
      }
      await checkTiles(tx, tree, completed, found);
      return true;
    });
    if (!isWhole) {
      found('trees', missingLeaf(tree, from, to));
      break;
    }
    onLeaves(to - from);
  }
  for (const fault of await database.transaction((tx) => widthFaults(tx, tree))) found('tiles', fault);
}

const missingLeaf = ({ name, size, leafTable }: TreeToCheck, from: number, to: number): string =>
  `The table trees says that ${name} has ${size} leaves, and of ${from} to ${to - 1} some are missing from the table ${leafTable}.`;

/** Level 0 is not stored: it is where the leaves are. */
const isStored = ({ height }: Subtree): boolean => height > 0 && height % tileHeight === 0;

interface TileRow extends Row {
  hashes: Uint8Array;
}

/** Each hash of the levels above the leaves has one place in one tile. Of each tile the first fault is reported. */
async function checkTiles(
  tx: Transaction,
  { tree, name }: TreeToCheck,
  completed: readonly Subtree[],
  found: OnFault,
): Promise<void> {
  let tile: { readonly key: string; readonly hashes: Uint8Array | null } | undefined;
  for (const { height, index, hash } of completed.toSorted((a, b) => a.height - b.height || a.index - b.index)) {
    const [level, row, offset] = [height / tileHeight, Math.floor(index / tileWidth), index % tileWidth];
    const where = `of the table tiles, tile ${row} of level ${level} of ${name}`;
    const key = `${level} ${row}`;
    if (tile?.key !== key) {
      const [stored] = await tx.query<TileRow>(
        'select hashes from tiles where tree = $1 and level = $2 and index = $3',
        [tree, level, row],
      );
      if (!stored) found('tiles', `A row ${where}, is missing.`);
      tile = { key, hashes: stored?.hashes ?? null };
    }
    const { hashes } = tile;
    if (hashes === null || equal(hashes.subarray(offset * hashLength, (offset + 1) * hashLength), hash)) continue;
    found('tiles', `The row ${where}, has another hash at ${offset} than its leaves lead to.`);
    tile = { key, hashes: null };
  }
}

/** Tiles that the tree has no leaves for, in part or at all. One statement, so a tree that grows is seen at one size. */
async function widthFaults(tx: Transaction, { tree, name }: TreeToCheck): Promise<string[]> {
  const rows = await tx.query<{ level: number; index: number; size: number }>(
    `select t.level, t.index, r.size from tiles t join trees r on r.tree = t.tree
      where t.tree = $1 and octet_length(t.hashes) <>
            ${hashLength} * least(${tileWidth}, floor(r.size / power(${tileWidth}::numeric, t.level)) - ${tileWidth} * t.index)
      order by t.level, t.index limit ${namedFaults + 1}`,
    [tree],
  );
  return rows.map(
    ({ level, index, size }) =>
      `The row of the table tiles, tile ${index} of level ${level} of ${name}, does not have the length of a tree of ${size} leaves.`,
  );
}

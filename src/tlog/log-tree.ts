import { currentLog } from '../../projections/log/former.js';
import { logLeafHashes } from '../../projections/log/queries.js';
import type { Database, Transaction } from '../database/database.js';
import { type Tiles, treeRoot } from './tree.js';
import { growTree, storedTiles } from './tree-store.js';

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

import { latestCheckpoint, leaves } from '../../projections/log/queries.js';
import type { Transaction } from '../database/database.js';
import { entryHashes } from '../ledger/entry-hashes.js';
import { concat } from '../verifier/bytes.js';
import { consistencyProof, treeRoot } from './tree.js';
import { storedTiles } from './tree-store.js';

/**
 * The root of the first `from` entries of a workspace, and the consistency proof from there to its head at leaf `index` of the
 * log, 32 bytes each. An auditor compares the root with that of an earlier head, also of one that this store has lost.
 * @returns undefined when no checkpoint covers such a head, or it has fewer entries
 */
export async function growthTo(tx: Transaction, index: number, from: number): Promise<Uint8Array | undefined> {
  const latest = await latestCheckpoint(tx);
  if (index >= (latest?.size ?? 0)) return undefined;
  const [head] = await leaves(tx, index, index + 1);
  if (!head?.workspace_id || head.size === null || from < 1 || from > head.size) return undefined;
  const tiles = storedTiles(tx, head.workspace_id, entryHashes);
  return concat(await treeRoot(tiles, from), ...(await consistencyProof(tiles, from, head.size)));
}

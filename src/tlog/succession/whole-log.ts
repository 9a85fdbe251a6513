import { latestCheckpoint, leaves, signedCheckpoints } from '../../../projections/log/queries.js';
import type { Database } from '../../database/database.js';
import { toHex, toUtf8 } from '../../verifier/bytes.js';
import { openFrontier } from '../../verifier/frontier.js';
import { leafHash } from '../../verifier/merkle.js';
import type { WholeLog } from './loss.js';

/** Leaves that one transaction reads. */
const batch = 8192;

/**
 * Computes the log of the store again from the bytes of its leaves, because the tiles and hashes beside them may be those of another
 * state of the store.
 * @param sizes at which the roots are needed besides those of its checkpoints
 */
export async function readWholeLog(database: Database, sizes: readonly number[]): Promise<WholeLog> {
  const signed = (await database.read(signedCheckpoints)).map(({ size, root }) => ({ size, root: toHex(root) }));
  const wanted = new Set([...sizes, ...signed.map(({ size }) => size)]);
  const roots = new Map<number, string>();
  const frontier = openFrontier();
  for (let isWhole = true; isWhole; ) {
    const from = frontier.size();
    const rows = await database.read((tx) => leaves(tx, from, from + batch));
    for (const { index, leaf } of rows) {
      if (index !== frontier.size()) break;
      frontier.add(leafHash(toUtf8(leaf)));
      if (wanted.has(frontier.size())) roots.set(frontier.size(), toHex(frontier.root()));
    }
    isWhole = frontier.size() === from + batch;
  }
  return { size: frontier.size(), roots, signed };
}

/** The newest note of the store, or undefined. */
export const newestNote = async (database: Database): Promise<string | undefined> =>
  (await database.read(latestCheckpoint))?.note;

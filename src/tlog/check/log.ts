import { logChain } from '../../../contracts/log.js';
import { logLeafHashes, logState } from '../../../projections/log/queries.js';
import { checkpointRows, leafRows } from '../../../projections/log/rows.js';
import type { Database, Transaction } from '../../adapters/database/database.js';
import { chainRows } from '../../ledger/rows.js';
import type { EasiestTarget } from '../../verifier/bitcoin.js';
import { faultOfStore, type KeyStore } from '../signer.js';
import { treeRoot } from '../tree.js';
import { growTree, storedTiles, tilesIn } from '../tree-store.js';
import { checkedKeys, logTree, orderFault } from './checkpoints.js';
import { sizeFault, workspacesAfter, workspaceTree } from './heads.js';
import { checkTree } from './tree.js';

const workspacesPerPage = 1000;

export interface LogCheck {
  readonly database: Database;
  /** Where the signer remembers what it has signed last; without it that is not compared. */
  readonly signer: Pick<KeyStore, 'place' | 'lastSigned'> | null;
  readonly easiest: EasiestTarget;
  /** Leaves of all trees that were looked at, and that there are. */
  readonly onLeaves: (done: number, total: number) => void;
}

/**
 * Checks the trees and the public log against the entries: tiles, heads, keys, checkpoints and their timestamps. The
 * chains must have been found sound before. Runs beside writers: trees are checked up to the size at which they were met.
 * @returns the first fault as a sentence, or null
 */
export async function checkLog({ database, signer, easiest, onLeaves }: LogCheck): Promise<string | null> {
  let done = 0;
  const total = await database.transaction(leavesOfAllTrees);
  const counted = (leaves: number) => {
    done += leaves;
    onLeaves(done, Math.max(done, total));
  };
  counted(0);
  const fault =
    (await database.transaction(orphanRow)) ??
    (await checkWorkspaces(database, counted)) ??
    (await checkTransparencyLog(database, easiest, counted));
  if (fault !== null || signer === null) return fault;
  return signedFault(database, signer);
}

/** The stored part of a tree ends with its last complete tile; heads and checkpoints may cover some leaves more. */
async function leavesOfAllTrees(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ leaves: number }>(
    `select coalesce(sum(greatest(t.size, l.size)), 0)::bigint as leaves
       from trees t full join (
         select workspace_id as tree, max(size) as size from ${leafRows} one where workspace_id is not null group by 1
          union all select $1, max(size) from ${checkpointRows} one) l using (tree)`,
    [logChain],
  );
  return row?.leaves ?? 0;
}

/** A tree or head of a workspace that does not exist: the checks below would not see it. */
async function orphanRow(tx: Transaction): Promise<string | null> {
  const [tree] = await tx.query<{ tree: string }>(
    `select t.tree::text from trees t left join ${chainRows} c on c.chain = t.tree where c.chain is null order by t.tree limit 1`,
  );
  if (tree) return `The tree ${tree} of the table trees belongs to no chain.`;
  const [leaf] = await tx.query<{ index: number; workspace_id: string }>(
    `select l.index, l.workspace_id::text from ${leafRows} l left join ${chainRows} c on c.chain = l.workspace_id
      where l.workspace_id is not null and c.chain is null order by l.index limit 1`,
  );
  return leaf
    ? `Leaf ${leaf.index} of the table log_leaves is a head of workspace ${leaf.workspace_id}, which has no chain.`
    : null;
}

async function checkWorkspaces(database: Database, onLeaves: (count: number) => void): Promise<string | null> {
  let after: string | null = null;
  for (;;) {
    const page = await database.transaction((tx) => workspacesAfter(tx, after, workspacesPerPage));
    for (const row of page) {
      const fault = sizeFault(row) ?? (await checkTree(database, workspaceTree(row), onLeaves));
      if (fault !== null) return fault;
    }
    after = page.at(-1)?.chain ?? null;
    if (after === null) return null;
  }
}

async function checkTransparencyLog(
  database: Database,
  easiest: EasiestTarget,
  onLeaves: (count: number) => void,
): Promise<string | null> {
  const read = await database.transaction(async (tx) => {
    const [tree] = await tx.query<{ size: number }>('select size from trees where tree = $1', [logChain]);
    const { latest } = await logState(tx);
    return {
      keys: await checkedKeys(tx),
      size: tree?.size ?? 0,
      signed: latest?.size ?? 0,
      order: await orderFault(tx),
    };
  });
  if (typeof read.keys === 'string') return read.keys;
  if (read.order !== null) return read.order;
  if (tilesIn(read.signed) > tilesIn(read.size)) {
    return `The table trees says that the tree of the public log has ${read.size} leaves, and the table checkpoints has a checkpoint of ${read.signed}.`;
  }
  return checkTree(database, logTree(Math.max(read.size, read.signed), read.keys, easiest), onLeaves);
}

/** Not a fault within the store: it is older than what was signed, or another one. */
async function signedFault(database: Database, signer: Pick<KeyStore, 'place' | 'lastSigned'>): Promise<string | null> {
  // Read first: what is signed meanwhile is in the log already.
  const last = signer.lastSigned();
  const { size } = await database.transaction(logState);
  return faultOfStore(signer.place, last, {
    size,
    async rootAt(earlier) {
      // A store that lags behind the signer may have the leaves and not the tiles over them.
      await growTree(database, logChain, earlier, logLeafHashes);
      return database.transaction((tx) => treeRoot(storedTiles(tx, logChain, logLeafHashes), earlier));
    },
  });
}

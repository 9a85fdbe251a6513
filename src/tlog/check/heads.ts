import { logChain } from '../../../contracts/log.js';
import { leafRows } from '../../../projections/log/rows.js';
import type { OnFault } from '../../base/faults.js';
import type { Row, Transaction } from '../../database/database.js';
import { entryHashes } from '../../ledger/entry-hashes.js';
import { chainRows } from '../../ledger/rows.js';
import { equal, toHex, toUtf8 } from '../../verifier/bytes.js';
import { readHeadLeaf } from '../../verifier/leaf.js';
import { attempt } from '../../verifier/unreadable.js';
import { tagOf } from '../leaves.js';
import { tilesIn } from '../tree-store.js';
import type { Stop, TreeToCheck } from './tree.js';

/** A workspace's chain, its tree, and the newest head of it in the log, all as of one moment. */
interface WorkspaceRow extends Row {
  chain: string;
  tag_key: Uint8Array;
  head_seq: number;
  tree_size: number;
  newest: number;
}

interface HeadRow extends Row {
  index: number;
  leaf: string;
  size: number;
}

/** Workspaces after `after`, in the order of their ids. */
export function workspacesAfter(tx: Transaction, after: string | null, limit: number): Promise<WorkspaceRow[]> {
  return tx.query<WorkspaceRow>(
    `select c.chain::text, c.tag_key, c.head_seq, coalesce(t.size, 0) as tree_size,
            coalesce((select max(l.size) from ${leafRows} l where l.workspace_id = c.chain), 0) as newest
       from ${chainRows} c left join trees t on t.tree = c.chain
      where c.chain <> $1 and ($2::uuid is null or c.chain > $2::uuid) order by c.chain limit $3`,
    [logChain, after, limit],
  );
}

/** The fault that the sizes alone show: entries were taken away behind heads that are in the log. */
export function sizeFault({ chain, head_seq, tree_size, newest }: WorkspaceRow): string | null {
  if (newest > head_seq) {
    return `The table log_leaves has a head of ${newest} entries of workspace ${chain}, whose head in the table chains is entry ${head_seq}.`;
  }
  if (tree_size > head_seq) {
    return `The table trees says that the tree of workspace ${chain} has ${tree_size} leaves, and its head in the table chains is entry ${head_seq}.`;
  }
  // Leaves behind the last complete tile need no tree.
  if (tilesIn(newest) > tilesIn(tree_size)) {
    return `The table trees says that the tree of workspace ${chain} has ${tree_size} leaves, and the table log_leaves has a head of ${newest} entries.`;
  }
  return null;
}

/** The tree of a workspace, with its heads in the log as stops. */
export function workspaceTree({ chain, tag_key, tree_size, newest }: WorkspaceRow, found: OnFault): TreeToCheck {
  const tag = tagOf(tag_key, chain);
  let lastIndex = -1;
  const check = (row: HeadRow): Stop['check'] => {
    const before = lastIndex;
    lastIndex = row.index;
    return (root, last) => {
      const fault = row.index > before ? headFault(row, tag, root, last) : 'has a smaller one of its tag after it';
      if (fault === null) return;
      found('heads', `Leaf ${row.index} of the table log_leaves, a head of workspace ${chain}, ${fault}.`);
    };
  };
  return {
    tree: chain,
    name: `the tree of workspace ${chain}`,
    size: Math.max(tree_size, newest),
    leafHashes: entryHashes,
    leafTable: 'entries',
    async stops(tx, from, to) {
      const rows = await tx.query<HeadRow>(
        `select index, leaf, size from ${leafRows} one where workspace_id = $1 and size > $2 and size <= $3 order by size`,
        [chain, from, to],
      );
      return rows.map((row) => ({ size: row.size, check: check(row) }));
    },
  };
}

function headFault({ leaf, size }: HeadRow, tag: string, root: Uint8Array, last: Uint8Array): string | null {
  const head = attempt(() => readHeadLeaf(toUtf8(leaf)));
  if (typeof head === 'string') return `cannot be read: ${head}`;
  if (toHex(head.tag) !== tag) return 'has a tag that does not follow from the tag_key in the table chains';
  if (head.size !== size) return `says it is of ${head.size} entries where its row says ${size}`;
  if (!equal(head.headHash, last)) return `does not have the hash of entry ${size} as its head_hash`;
  if (!equal(head.root, root)) return `does not have the root of the first ${size} entries`;
  return null;
}

import { treeOfLog } from '../../../contracts/log.js';
import { currentLog, formerLogs } from '../../../projections/log/former.js';
import { keyLeaves, logState } from '../../../projections/log/queries.js';
import { checkpointRows, leafRows } from '../../../projections/log/rows.js';
import { type Faults, namedFaults, type OnFault } from '../../base/faults.js';
import type { Database, Transaction } from '../../database/database.js';
import { chainRows } from '../../ledger/rows.js';
import type { EasiestTarget } from '../../verifier/bitcoin.js';
import { faultOfStore, type KeyStore } from '../signer.js';
import { logRoot, tilesIn } from '../tree-store.js';
import { checkedKeys, currentPlace, logTree, orderFaults } from './checkpoints.js';
import { checkFormerLogs } from './former.js';
import { sizeFault, workspacesAfter, workspaceTree } from './heads.js';
import { checkTree } from './tree.js';

const workspacesPerPage = 1000;

interface LogCheck {
  readonly database: Database;
  /** Where the signer remembers what it has signed last; without it that is not compared. */
  readonly signer: Pick<KeyStore, 'place' | 'record'> | null;
  readonly easiest: EasiestTarget;
  /** Leaves of all trees that were looked at, and that there are. */
  readonly onLeaves: (done: number, total: number) => void;
  readonly faults: Faults;
}

/** The same, with a count of leaves that adds up. */
interface Check extends Omit<LogCheck, 'onLeaves'> {
  readonly onLeaves: (count: number) => void;
}

/**
 * Checks the trees and the public log against the entries: tiles, heads, keys, checkpoints and their timestamps. Runs beside
 * writers: trees are checked up to the size at which they were met.
 */
export async function checkLog({ onLeaves, ...parts }: LogCheck): Promise<void> {
  const { database, signer, faults } = parts;
  let done = 0;
  const total = await database.transaction(leavesOfAllTrees);
  const counted = (leaves: number) => {
    done += leaves;
    onLeaves(done, Math.max(done, total));
  };
  counted(0);
  const check: Check = { ...parts, onLeaves: counted };
  await faults.attempt('trees', () => database.transaction((tx) => orphanRows(tx, faults.found)));
  await checkWorkspaces(check);
  await faults.attempt('public log', () => checkTransparencyLog(check));
  await checkFormerLogs(check);
  if (signer !== null) await faults.attempt('last signature', () => checkSigned(database, signer, faults.found));
}

/** The stored part of a tree ends with its last complete tile; heads and checkpoints may cover some leaves more. */
async function leavesOfAllTrees(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ leaves: number }>(
    `select coalesce(sum(greatest(t.size, l.size)), 0)::bigint as leaves
       from trees t full join (
         select workspace_id as tree, max(size) as size from ${leafRows} one where workspace_id is not null group by 1
          union all select $1, max(size) from ${checkpointRows} one) l using (tree)`,
    [(await currentLog(tx)).tree],
  );
  return row?.leaves ?? 0;
}

/** Trees and heads of workspaces that do not exist: the checks below would not see them. */
async function orphanRows(tx: Transaction, found: OnFault): Promise<void> {
  const trees = await tx.query<{ tree: string }>(
    `select t.tree::text from trees t left join ${chainRows} c on c.chain = t.tree
      where c.chain is null and t.tree <> all($1::uuid[]) order by t.tree limit ${namedFaults + 1}`,
    [await treesOfLogs(tx)],
  );
  for (const { tree } of trees) found('trees', `The tree ${tree} of the table trees belongs to no chain.`);
  const leaves = await tx.query<{ index: number; workspace_id: string }>(
    `select l.index, l.workspace_id::text from ${leafRows} l left join ${chainRows} c on c.chain = l.workspace_id
      where l.workspace_id is not null and c.chain is null order by l.index limit ${namedFaults + 1}`,
  );
  for (const { index, workspace_id } of leaves) {
    found('heads', `Leaf ${index} of the table log_leaves is a head of workspace ${workspace_id}, which has no chain.`);
  }
}

/** The trees that are no chain's: those of logs behind the first one. */
async function treesOfLogs(tx: Transaction): Promise<string[]> {
  const former = (await formerLogs(tx)).map(({ log }) => treeOfLog(log));
  return [...former, (await currentLog(tx)).tree];
}

async function checkWorkspaces({ database, faults, onLeaves }: Check): Promise<void> {
  const { found } = faults;
  let after: string | null = null;
  for (;;) {
    const page = await database.transaction((tx) => workspacesAfter(tx, after, workspacesPerPage));
    for (const row of page) {
      const fault = sizeFault(row);
      if (fault !== null) found('trees', fault);
      else await faults.attempt('trees', () => checkTree(database, workspaceTree(row, found), { found, onLeaves }));
    }
    after = page.at(-1)?.chain ?? null;
    if (after === null) return;
  }
}

async function checkTransparencyLog({ database, easiest, faults, onLeaves }: Check): Promise<void> {
  const { found } = faults;
  const { place, keys, size, signed } = await database.transaction(async (tx) => {
    const place = currentPlace((await currentLog(tx)).tree);
    const [tree] = await tx.query<{ size: number }>('select size from trees where tree = $1', [place.tree]);
    const { latest } = await logState(tx);
    const keys = checkedKeys(await keyLeaves(tx, Number.MAX_SAFE_INTEGER), place.leafTable, found);
    return { place, keys, size: tree?.size ?? 0, signed: latest?.size ?? 0 };
  });
  await faults.attempt('checkpoints', async () => {
    for (const fault of await database.transaction(orderFaults)) found('checkpoints', fault);
  });
  if (tilesIn(signed) > tilesIn(size)) {
    found(
      'trees',
      `The table trees says that the tree of the public log has ${size} leaves, and the table checkpoints has a checkpoint of ${signed}.`,
    );
  }
  const tree = logTree({ place, size: Math.max(size, signed), keys, easiest, found });
  await checkTree(database, tree, { found, onLeaves });
}

/** Not a fault within the store: it is older than what was signed, or another one. */
async function checkSigned(
  database: Database,
  signer: Pick<KeyStore, 'place' | 'record'>,
  found: OnFault,
): Promise<void> {
  // Read first: what is signed meanwhile is in the log already.
  const last = signer.record();
  const { size } = await database.transaction(logState);
  const fault = await faultOfStore(signer.place, last, {
    size,
    // A store that lags behind the signer may have the leaves and not the tiles over them.
    rootAt: (earlier) => logRoot(database, earlier),
  });
  if (fault !== null) found('last signature', fault);
}

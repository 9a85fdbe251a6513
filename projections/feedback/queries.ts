import type { Transaction } from '../../src/database/database.js';
import { entryRows } from '../../src/ledger/rows.js';
import { checkpointRows, leafRows } from '../log/rows.js';

/** An agent and an epoch, as commands name them. */
export const emissionName = (agnId: string, epoch: string): string => `${agnId} ${epoch}`;

/** Those of these emissions that are recorded in a workspace. @param names see `emissionName` */
export async function recordedEmissions(
  tx: Transaction,
  workspaceId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select agn_id || ' ' || epoch as name from feedback_emissions
      where workspace_id = $1 and (agn_id, epoch) in (
        select split_part(n, ' ', 1), split_part(n, ' ', 2) from unnest($2::text[]) n)`,
    [workspaceId, names],
  );
  return rows.map(({ name }) => name);
}

/** The workspaces of these receipts, by their hashes in hex. */
export async function workspacesOfReceipts(
  tx: Transaction,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ hash: string; workspace_id: string }>(
    `select h.hash, e.chain::text as workspace_id from unnest($1::text[]) h(hash)
       join ${entryRows} e on e.hash = decode(h.hash, 'hex')`,
    [hashes],
  );
  return new Map(rows.map(({ hash, workspace_id }) => [hash, workspace_id]));
}

interface CoveringCheckpoint {
  readonly note: string;
  readonly signedAt: string;
}

/** The first checkpoint that covers these workspaces up to these positions; null while there is none. */
export async function coveringCheckpoint(
  tx: Transaction,
  heads: readonly { readonly workspaceId: string; readonly toSeq: number }[],
): Promise<CoveringCheckpoint | null> {
  const [row] = await tx.query<{ note: string; signed_at: string }>(
    `with covering as (
       select (select l.index from ${leafRows} l where l.workspace_id = h.workspace_id and l.size >= h.seq
                order by l.size limit 1) as index
         from unnest($1::uuid[], $2::bigint[]) h(workspace_id, seq))
     select c.note, c.signed_at from ${checkpointRows} c
      where c.size > (select max(index) from covering) and not exists (select 1 from covering where index is null)
      order by c.size limit 1`,
    [heads.map(({ workspaceId }) => workspaceId), heads.map(({ toSeq }) => toSeq)],
  );
  return row === undefined ? null : { note: row.note, signedAt: row.signed_at };
}

import type { Transaction } from '../../src/database/database.js';

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

import type { Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';

/** The people who approved requests that were not carried out yet. A row ends with its use; that of an approval that is never used stays. */
export const approversDdl = `
    create table memory_approvers (
      approval_id text collate "C" primary key,
      approved_by text collate "C" not null
    );
`;

/** By the id of an approval: the person who gave it. */
export type Approvers = ReadonlyMap<string, string>;

/** Remembers the approvals among these entries, and returns those that these entries use. */
export async function approversOf(tx: Transaction, recorded: readonly Recorded[]): Promise<Approvers> {
  const given = new Map(recorded.flatMap(givenIn));
  if (given.size > 0) {
    await tx.query('insert into memory_approvers select * from unnest($1::text[], $2::text[]) on conflict do nothing', [
      [...given.keys()],
      [...given.values()],
    ]);
  }
  const used = [...new Set(recorded.flatMap(usedBy))];
  if (used.length === 0) return new Map();
  const rows = await tx.query<{ approval_id: string; approved_by: string }>(
    'delete from memory_approvers where approval_id = any($1::text[]) returning approval_id, approved_by',
    [used],
  );
  return new Map(rows.map(({ approval_id, approved_by }) => [approval_id, approved_by]));
}

function givenIn({ entry }: Recorded): (readonly [string, string])[] {
  if (entry.kind !== 'approval' || entry.body.decision !== 'approved' || entry.actor.id === null) return [];
  return [[entry.body.approval_id, entry.actor.id]];
}

function usedBy({ entry }: Recorded): string[] {
  const uses = entry.kind === 'memory.write' || entry.kind === 'memory.promoted' || entry.kind === 'memory.delete';
  return uses && entry.body.approval ? [entry.body.approval.approval_id] : [];
}

/** @returns null for a write that was not held */
export function approverOf(
  approvers: Approvers,
  approval: { readonly approval_id: string } | undefined,
): string | null {
  return approval === undefined ? null : (approvers.get(approval.approval_id) ?? null);
}

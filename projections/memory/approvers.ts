import type { RecordedOf } from '../../contracts/entries/recorded.js';
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

/** The approvals that entries have given, with the person, and those that they have used. */
export interface Approvals {
  readonly given: Map<string, string>;
  readonly used: Set<string>;
}

export function noteGiven({ given }: Approvals, { entry: { body, actor } }: RecordedOf<'approval'>): void {
  if (body.decision === 'approved' && actor.id !== null) given.set(body.approval_id, actor.id);
}

type Using = RecordedOf<'memory.write' | 'memory.promoted' | 'memory.delete'>;

export function noteUsed({ used }: Approvals, { entry: { body } }: Using): void {
  if (body.approval) used.add(body.approval.approval_id);
}

/** Remembers the approvals that were given, and returns those that were used. */
export async function approversOf(tx: Transaction, { given, used }: Approvals): Promise<Approvers> {
  if (given.size > 0) {
    await tx.query('insert into memory_approvers select * from unnest($1::text[], $2::text[]) on conflict do nothing', [
      [...given.keys()],
      [...given.values()],
    ]);
  }
  if (used.size === 0) return new Map();
  const rows = await tx.query<{ approval_id: string; approved_by: string }>(
    'delete from memory_approvers where approval_id = any($1::text[]) returning approval_id, approved_by',
    [[...used]],
  );
  return new Map(rows.map(({ approval_id, approved_by }) => [approval_id, approved_by]));
}

/** @returns null for a write that was not held */
export function approverOf(
  approvers: Approvers,
  approval: { readonly approval_id: string } | undefined,
): string | null {
  return approval === undefined ? null : (approvers.get(approval.approval_id) ?? null);
}

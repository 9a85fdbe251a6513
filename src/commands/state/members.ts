import type { Entry, Role } from '../../../contracts/entries/entry.js';
import type { Deposit } from '../../../contracts/entries/recorded.js';
import { membersOf } from '../../../projections/account/queries.js';
import { distinct, type Slice, stepwise } from './slice.js';

export interface MemberState {
  readonly id: string;
  readonly role: Role;
  readonly email: string;
  /** Of the entry whose row of the vault holds the account. */
  readonly receiptId: string;
}

/** By id. */
export type Members = ReadonlyMap<string, MemberState>;

/** All members of the workspace, or those with these ids. */
export const members: Slice<'all' | readonly string[], Members> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const all = reads.includes('all');
    const ids = distinct(reads.map((one) => (one === 'all' ? [] : one)));
    const rows = await membersOf(tx, workspaceId, all ? null : ids);
    return new Map(rows.map(({ id, role, email, receipt_id }) => [id, { id, role, email, receiptId: receipt_id }]));
  },
  evolve: stepwise((before, { entry, deposit }) => {
    switch (entry.kind) {
      case 'member.added': {
        const { member_id: id, role } = entry.body;
        return new Map(before).set(id, { id, role, email: emailOf(deposit), receiptId: entry.receipt_id });
      }
      case 'member.changed':
        return changed(before, entry, { role: entry.body.role });
      case 'member.password_changed':
        return changed(before, entry, { receiptId: entry.receipt_id });
      case 'member.removed': {
        const left = new Map(before);
        left.delete(entry.body.member_id);
        return left;
      }
      default:
        return before;
    }
  }),
};

function emailOf(deposit: Deposit | null): string {
  const { email }: { email: string } = JSON.parse(deposit?.texts.content ?? '{}');
  return email;
}

type ChangeEntry = Extract<Entry, { kind: 'member.changed' | 'member.password_changed' }>;

function changed(all: Members, { body }: ChangeEntry, change: Partial<MemberState>): Members {
  const member = all.get(body.member_id);
  return member ? new Map(all).set(member.id, { ...member, ...change }) : all;
}

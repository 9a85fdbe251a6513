import type { Role } from '../../../contracts/entries/entry.js';
import type { Deposit } from '../../../contracts/entries/recorded.js';
import { membersOf } from '../../../projections/account/queries.js';
import { distinct, type Slice, stepwise, without } from './slice.js';

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
  evolve: stepwise({
    'member.added': (before, { entry, deposit }) => {
      const { member_id: id, role } = entry.body;
      return new Map(before).set(id, { id, role, email: emailOf(deposit), receiptId: entry.receipt_id });
    },
    'member.changed': (before, { entry }) => changed(before, entry.body.member_id, { role: entry.body.role }),
    'member.password_changed': (before, { entry }) =>
      changed(before, entry.body.member_id, { receiptId: entry.receipt_id }),
    'member.removed': (before, { entry }) => without(before, entry.body.member_id),
  }),
};

function emailOf(deposit: Deposit | null): string {
  const { email }: { email: string } = JSON.parse(deposit?.texts.content ?? '{}');
  return email;
}

function changed(all: Members, id: string, change: Partial<MemberState>): Members {
  const member = all.get(id);
  return member ? new Map(all).set(id, { ...member, ...change }) : all;
}

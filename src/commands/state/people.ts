import type { Role } from '../../../contracts/entries/entry.js';
import type { Deposit, RecordedOf } from '../../../contracts/entries/recorded.js';
import { peopleWith, type Sought } from '../../../projections/account/people.js';
import { membersOf } from '../../../projections/account/queries.js';
import { readAccount } from '../../domain/account.js';
import { emailKey } from '../../domain/email.js';
import type { Membership, Person } from '../../domain/person.js';
import { distinct, type Slice, stepwise, without } from './slice.js';

/** People with their memberships in all workspaces. Those in other workspaces may change until the command is appended. */
export const people: Slice<Sought, readonly Person[]> = {
  empty: [],
  load({ tx }, reads) {
    const emails = distinct(reads.map((one) => one.emails ?? []));
    const memberIds = distinct(reads.map((one) => one.memberIds ?? []));
    const ids = distinct(reads.map((one) => one.ids ?? []));
    return peopleWith(tx, { ids, emails, memberIds });
  },
  evolve: stepwise({
    'member.added': withMembership,
    'member.password_changed': withMembership,
    'member.removed': (before, { entry }) => withoutMembership(before, entry.body.member_id),
  }),
};

/** The person with this address. Where accounts of earlier versions share one, it is the person that came first. */
export function personByEmail(all: readonly Person[], email: string): Person | undefined {
  const key = emailKey(email);
  return all.find(({ memberships }) => memberships.some((one) => one.emailKey === key));
}

export function personOf(all: readonly Person[], membershipId: string): Person | undefined {
  return all.find(({ memberships }) => memberships.some((one) => one.id === membershipId));
}

function withMembership(
  before: readonly Person[],
  { entry, deposit }: RecordedOf<'member.added' | 'member.password_changed'>,
): readonly Person[] {
  const { workspace_id: workspaceId, recorded_at, body } = entry;
  const { member_id: id } = body;
  const account = readAccount(deposit?.texts.content ?? null, id, recorded_at);
  const { personId, passwordHash, passwordSetAt } = account;
  const one: Membership = { id, workspaceId, emailKey: emailKey(account.email), passwordHash, passwordSetAt };
  const others = withoutMembership(before, id);
  const memberships = others.find((person) => person.id === personId)?.memberships ?? [];
  const person = { id: personId, memberships: [...memberships, one].sort(byId) };
  return [...others.filter((other) => other.id !== personId), person].sort(byId);
}

function withoutMembership(before: readonly Person[], id: string): readonly Person[] {
  return before
    .map((person) => ({ ...person, memberships: person.memberships.filter((one) => one.id !== id) }))
    .filter(({ memberships }) => memberships.length > 0);
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

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

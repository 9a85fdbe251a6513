import type { Role } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { World } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import { accountFor, accountText } from '../domain/account.js';
import type { Caller } from '../domain/caller.js';
import { emailKey } from '../domain/email.js';
import { holdsAlone } from '../domain/person.js';
import { requireSeat, signsIn } from '../domain/plan.js';
import type { Command, Decision } from './command.js';
import { nothing, recording } from './record.js';
import { type MemberState, personByEmail, personOf } from './state/people.js';
import { loadState, type WorkspaceState } from './state/state.js';

export interface MemberAdded {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly receipt_id: string;
  /** Whether the person signs in with a password from another workspace. */
  readonly hadPassword: boolean;
}

interface Candidate {
  readonly email: string;
  readonly role: Role;
  /** Whether the caller may not make an account for the address; see `isReserved`. */
  readonly isReserved: boolean;
}

/** The person was known when the request was looked at, and has left the last workspace since. */
export class PersonLeft extends Error {
  override name = 'PersonLeft';
}

/**
 * Adds a person. Address and password hash are stored in the vault. A person who is a member of another workspace keeps the
 * password from there: an administrator never chooses a password for a person who has one.
 * @param person.passwordHash for a person who is new to the service; null where the person is thought to be known
 * @throws Refusal admin_required, member_exists, plan_people_limit. @throws PersonLeft
 */
export function addMember(
  world: World,
  caller: Caller,
  person: Candidate & { readonly passwordHash: string | null },
): Command<MemberAdded> {
  const id = world.id();
  const record = recording(world);
  const { email, role, passwordHash } = person;
  return {
    actor: caller.actor,
    reads: { members: 'all', governance: { rules: true }, people: { emails: [email] } },
    decide(state, recordedAt) {
      admit(state, caller, person);
      const known = personByEmail(state.people, email);
      if (!known && passwordHash === null) throw new PersonLeft('the person is a member of no workspace any more');
      const content = accountText(accountFor(known, { id, email, passwordHash: passwordHash ?? '', at: recordedAt }));
      const body = { member_id: id, role, account_commitment: record.commit(content) };
      const hadPassword = known !== undefined;
      return record.entry(
        { kind: 'member.added', body },
        { id, email, role, created_at: recordedAt, receipt_id: record.receipt, hadPassword },
        { content },
      );
    },
  };
}

/**
 * Makes sure that the person may be added as things are, before a password is hashed.
 * @throws Refusal admin_required, member_exists, plan_people_limit
 */
export async function requireAddable(tx: Transaction, caller: Caller, person: Candidate, now: Date): Promise<void> {
  const reads = { members: 'all', governance: { rules: true }, people: { emails: [person.email] } } as const;
  admit((await loadState(tx, caller.workspaceId, [reads], now)).state, caller, person);
}

function admit(state: WorkspaceState, caller: Caller, { email, role, isReserved }: Candidate) {
  requireRank(caller, role);
  const same = emailKey(email);
  if ([...state.members.values()].some((one) => emailKey(one.email) === same)) throw new Refusal('member_exists');
  if (isReserved && !personByEmail(state.people, email)) {
    throw new Refusal(
      'admin_required',
      'This address is that of an operator of the service and has no account yet. Only an operator, or an owner or admin of the first workspace, makes that account.',
    );
  }
  if (signsIn({ role })) requireSeatFor(state);
}

/** @returns the receipt's id, null when nothing has changed. @throws Refusal member_not_found, admin_required, last_owner, plan_people_limit */
export function changeMember(world: World, caller: Caller, id: string, role: Role): Command<string | null> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { members: 'all', governance: { rules: true } },
    decide(state): Decision<string | null> {
      const member = memberOf(state, id);
      if (member.role === role) return nothing(null);
      requireRank(caller, member.role);
      requireRank(caller, role);
      requireOwnerLeft(state, member);
      if (signsIn({ role }) && !signsIn(member)) requireSeatFor(state);
      return record.entry({ kind: 'member.changed', body: { member_id: id, role } }, record.receipt);
    },
  };
}

/** Other memberships of the person hold an older password, which the removal of this one would make valid again. */
export class PasswordNotCopied extends Error {
  override name = 'PasswordNotCopied';
}

/**
 * Ends a membership and its sessions, and destroys the account that it holds.
 * @returns the receipt's id. @throws Refusal member_not_found, admin_required, last_owner. @throws PasswordNotCopied
 */
export function removeMember(world: World, caller: Caller, id: string): Command<string> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { members: 'all', people: { memberIds: [id] } },
    decide(state) {
      const member = memberOf(state, id);
      requireRank(caller, member.role);
      requireOwnerLeft(state, member);
      const person = personOf(state.people, id);
      if (person && holdsAlone(person, id)) throw new PasswordNotCopied('another membership holds an older password');
      const body = { member_id: id, added_receipt_id: member.receiptId };
      return record.entry({ kind: 'member.removed', body }, record.receipt);
    },
  };
}

function memberOf(state: WorkspaceState, id: string): MemberState {
  const member = state.members.get(id);
  if (!member) throw new Refusal('member_not_found');
  return member;
}

/** An admin who could make or unmake owners would be one. */
function requireRank(caller: Caller, role: Role): void {
  if (role === 'owner' && caller.role !== 'owner') {
    throw new Refusal('admin_required', 'Only an owner makes or changes owners.');
  }
}

function requireSeatFor({ governance, members }: WorkspaceState): void {
  requireSeat(governance.plan, [...members.values()].filter(signsIn).length);
}

/** Without an owner, what was paused could never be resumed. */
function requireOwnerLeft(state: WorkspaceState, { id, role }: MemberState): void {
  const others = [...state.members.values()].filter((one) => one.role === 'owner' && one.id !== id);
  if (role === 'owner' && others.length === 0) throw new Refusal('last_owner');
}

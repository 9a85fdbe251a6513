import type { Actor } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { World } from '../base/world.js';
import { accountText } from '../domain/account.js';
import { isNewer, type Password, passwordOf, timeOfNewPassword } from '../domain/person.js';
import type { Command, Effects } from './command.js';
import { nothing, type Recording, recording } from './record.js';
import { personOf } from './state/people.js';
import type { WorkspaceState } from './state/state.js';

/** A password of a person, as every membership of the person is to hold it. */
export interface PersonalPassword extends Password {
  readonly personId: string;
}

/** The entry that records a password, and what the other memberships of the person copy. */
interface PasswordChanged {
  readonly receiptId: string;
  readonly password: PersonalPassword;
}

/**
 * Gives the person of a membership another password. The vault holds the account under this entry from then on, and the
 * old hash is destroyed. The caller of this has made sure that it may be, has it copied to the other memberships, and ends
 * the sessions. @throws Refusal member_not_found
 */
export function changePassword(world: World, actor: Actor, id: string, passwordHash: string): Command<PasswordChanged> {
  const record = recording(world);
  return {
    actor,
    reads: { members: [id], people: { memberIds: [id] } },
    decide(state, recordedAt) {
      const person = personOf(state.people, id);
      const passwordSetAt = timeOfNewPassword(person && passwordOf(person), recordedAt);
      const password = { personId: person?.id ?? id, passwordHash, passwordSetAt };
      return { ...accountEntry(state, id, password, record), answer: () => ({ receiptId: record.receipt, password }) };
    },
  };
}

/** Copies a password to a membership, unless that holds it already, holds a newer one, or has ended. */
export function copyPassword(world: World, actor: Actor, id: string, password: PersonalPassword): Command<void> {
  const record = recording(world);
  return {
    actor,
    reads: { members: [id], people: { memberIds: [id] } },
    decide(state) {
      const person = personOf(state.people, id);
      const held = person?.memberships.find((one) => one.id === id);
      const isThere = state.members.has(id);
      const isWanted = isThere && !(person?.id === password.personId && held && !isNewer(password, held));
      if (!isWanted) return nothing(undefined);
      return { ...accountEntry(state, id, password, record), answer: () => undefined };
    },
  };
}

function accountEntry({ members }: WorkspaceState, id: string, password: PersonalPassword, record: Recording): Effects {
  const member = members.get(id);
  if (!member) throw new Refusal('member_not_found');
  const content = accountText({ email: member.email, ...password });
  const account_commitment = record.commit(content);
  const body = { member_id: id, account_commitment, replaced_receipt_id: member.receiptId };
  return record.effects({ kind: 'member.password_changed', body }, { content });
}

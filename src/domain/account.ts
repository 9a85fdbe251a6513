import { type Person, passwordOf } from './person.js';

/** The part of a membership that the vault holds: who the person is, and the password of that person. */
interface Account {
  readonly email: string;
  /** Argon2id in its encoded form. */
  readonly passwordHash: string;
  /** The same in every workspace of the person: the id of that person's first membership. */
  readonly personId: string;
  /**
   * When the password was set. Every membership of a person holds a copy of the password, and the one that was set last
   * is valid. A copy has the time of the original: copying an old password into another workspace does not make it valid.
   */
  readonly passwordSetAt: string;
}

interface NewMembership {
  readonly id: string;
  readonly email: string;
  /** For a person who has no password yet. */
  readonly passwordHash: string;
  readonly at: string;
}

/** The account of a new membership: that of the person, where the service knows the person already. */
export function accountFor(person: Person | undefined, { id, email, passwordHash, at }: NewMembership): Account {
  const password = (person && passwordOf(person)) ?? { passwordHash, passwordSetAt: at };
  return {
    email,
    personId: person?.id ?? id,
    passwordHash: password.passwordHash,
    passwordSetAt: password.passwordSetAt,
  };
}

interface AccountText {
  readonly email: string;
  readonly password_hash: string;
  readonly person_id?: string;
  readonly password_set_at?: string;
}

/** The text that the entry of an account commits to. */
export function accountText({ email, passwordHash, personId, passwordSetAt }: Account): string {
  const text: AccountText = {
    email,
    password_hash: passwordHash,
    person_id: personId,
    password_set_at: passwordSetAt,
  };
  return JSON.stringify(text);
}

/**
 * The account of a membership. Accounts of earlier versions say nothing about other workspaces, so each of them is a
 * person of its own: equal addresses alone do not prove that two passwords belong to the same human.
 * @param text null when a later entry has replaced or destroyed the account
 */
export function readAccount(text: string | null, memberId: string, recordedAt: string): Account {
  const stored: AccountText = text === null ? { email: '', password_hash: '' } : JSON.parse(text);
  return {
    email: stored.email,
    passwordHash: stored.password_hash,
    personId: stored.person_id ?? memberId,
    passwordSetAt: stored.password_set_at ?? recordedAt,
  };
}

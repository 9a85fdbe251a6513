/** A password that a membership holds a copy of, and when it was set. */
export interface Password {
  readonly passwordHash: string;
  readonly passwordSetAt: string;
}

export interface Membership extends Password {
  readonly id: string;
  readonly workspaceId: string;
  readonly emailKey: string;
}

/** A person is one e-mail address with one password, and may be a member of several workspaces. */
export interface Person {
  readonly id: string;
  /** The oldest first. */
  readonly memberships: readonly Membership[];
}

/**
 * The password that is valid: of all copies the one that was set last. The hash decides between equal times, so that the
 * result does not depend on the order of the memberships. Undefined for a person without memberships.
 */
export function passwordOf({ memberships }: Pick<Person, 'memberships'>): Password | undefined {
  return memberships.reduce<Password | undefined>(
    (valid, one) => (valid === undefined || isNewer(one, valid) ? one : valid),
    undefined,
  );
}

/** The memberships that still hold a password of before. */
export function outdated(person: Person): Membership[] {
  const valid = passwordOf(person);
  return person.memberships.filter((one) => valid !== undefined && isNewer(valid, one));
}

/** Whether the valid password would be lost with this membership, because the remaining ones hold older passwords. */
export function holdsAlone({ id, memberships }: Person, membershipId: string): boolean {
  const others = { id, memberships: memberships.filter((one) => one.id !== membershipId) };
  const [valid, left] = [passwordOf({ memberships }), passwordOf(others)];
  return valid !== undefined && left !== undefined && isNewer(valid, left);
}

/** The time of a new password: now, or just after the one before where the clock of another process is ahead. */
export function timeOfNewPassword(before: Password | undefined, now: string): string {
  if (before === undefined || before.passwordSetAt < now) return now;
  return new Date(Date.parse(before.passwordSetAt) + 1).toISOString();
}

/** Whether one password was set after another one. The hash decides between equal times, so that there is always one order. */
export function isNewer(one: Password, other: Password): boolean {
  if (one.passwordSetAt !== other.passwordSetAt) return one.passwordSetAt > other.passwordSetAt;
  return one.passwordHash > other.passwordHash;
}

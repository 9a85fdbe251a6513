import { describe, expect, it } from 'vitest';
import { addMember, PasswordNotCopied, PersonLeft, removeMember } from '../../src/commands/members.js';
import { changePassword, copyPassword } from '../../src/commands/passwords.js';
import { readAccount } from '../../src/domain/account.js';
import type { Person } from '../../src/domain/person.js';
import { begun, given, type Outcome } from '../support/given.js';

const email = 'Ada@example.org';
const before = '2026-01-01T00:00:00.000Z';
const after = '2026-02-01T00:00:00.000Z';

/** A person who is a member of another workspace. */
const elsewhere = (passwordHash: string, passwordSetAt: string): Person => ({
  id: 'ada',
  memberships: [{ id: 'ada', workspaceId: 'elsewhere', emailKey: 'ada@example.org', passwordHash, passwordSetAt }],
});

function opened(people: readonly Person[] = []) {
  const workspace = given({ people });
  const owner = workspace.person('owner');
  const add = (passwordHash: string | null) =>
    workspace.when(addMember(workspace.world, owner, { email, role: 'member', passwordHash, isReserved: false }));
  const account = ({ deposits }: Outcome<unknown>) =>
    readAccount(deposits[0]?.texts.content ?? null, 'the membership', 'the time of the entry');
  return { workspace, world: workspace.world, owner, add, account };
}

describe('a person who is a member elsewhere', () => {
  // @covers PEOPLE-ONE-PASSWORD PEOPLE-NO-TAKE-OVER
  it('keeps the password, no matter the workspace that adds the person gives', () => {
    for (const chosen of ['by the admin', null]) {
      const { add, account } = opened([elsewhere('of ada', before)]);
      const added = add(chosen);
      expect(added.answer().hadPassword).toBe(true);
      expect(account(added)).toEqual({ email, passwordHash: 'of ada', personId: 'ada', passwordSetAt: before });
    }
  });

  it('has left the last workspace while being added: then a password is needed after all', () => {
    const { add, account } = opened();
    expect(() => add(null).answer()).toThrow(PersonLeft);
    const added = add('chosen here');
    expect(added.answer().hadPassword).toBe(false);
    expect(account(added)).toMatchObject({ passwordHash: 'chosen here', passwordSetAt: begun });
  });

  // @covers PEOPLE-PASSWORD-EVERYWHERE
  it('has the password that was set last, also where the clock of the other process was ahead', () => {
    const { workspace, world, owner, add, account } = opened([elsewhere('of ada', after)]);
    const { id } = add(null).answer();
    const changed = workspace.when(changePassword(world, owner.actor, id, 'new'));
    expect(account(changed)).toMatchObject({ passwordHash: 'new', personId: 'ada' });
    expect(account(changed).passwordSetAt > after).toBe(true);
    const again = workspace.when(changePassword(world, owner.actor, id, 'newer'));
    expect(account(again).passwordSetAt > account(changed).passwordSetAt).toBe(true);
  });

  it('gets a copy of a newer password, once, and never of an older one', () => {
    const { workspace, world, owner, add, account } = opened([elsewhere('of ada', before)]);
    const { id } = add(null).answer();
    const copy = (passwordHash: string, passwordSetAt: string) =>
      workspace.when(copyPassword(world, owner.actor, id, { personId: 'ada', passwordHash, passwordSetAt }));
    const copied = copy('new', begun);
    copied.thenRecorded(['member.password_changed', { member_id: id }]);
    expect(account(copied)).toEqual({ email, passwordHash: 'new', personId: 'ada', passwordSetAt: begun });
    copy('new', begun).thenRecorded();
    copy('of ada', before).thenRecorded();
  });

  it('gets no copy where the membership has ended', () => {
    const { workspace, world, owner, add } = opened([elsewhere('of ada', before)]);
    const { id } = add(null).answer();
    workspace.when(removeMember(world, owner, id)).thenRecorded(['member.removed', { member_id: id }]);
    const password = { personId: 'ada', passwordHash: 'new', passwordSetAt: after };
    workspace.when(copyPassword(world, owner.actor, id, password)).thenRecorded();
  });

  // @covers PEOPLE-PASSWORD-STAYS
  it('is not removed where the only copy of the new password is', () => {
    const { workspace, world, owner, add } = opened([elsewhere('of ada', before)]);
    const { id } = add(null).answer();
    workspace.when(changePassword(world, owner.actor, id, 'new')).answer();
    const remove = () => workspace.when(removeMember(world, owner, id));
    expect(() => remove().answer()).toThrow(PasswordNotCopied);
    expect(workspace.state().members.has(id)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import type { Role } from '../../contracts/entries/entry.js';
import { planLimits } from '../../contracts/plans.js';
import { provision } from '../../src/commands/change-workspace.js';
import { addMember, changeMember, removeMember } from '../../src/commands/members.js';
import { changePassword } from '../../src/commands/passwords.js';
import type { Caller } from '../../src/domain/caller.js';
import type { Person } from '../../src/domain/person.js';
import { begun, given } from '../support/given.js';

function opened(plan: keyof typeof planLimits = 'enterprise', people: readonly Person[] = []) {
  const workspace = given({ people });
  const { world } = workspace;
  workspace.when(provision(world, { plan, memory_api: true })).answer();
  const owner = workspace.person('owner');
  const admin = workspace.person('admin', 'an admin');
  let made = 0;
  const add = (role: Role, by: Caller = owner, email?: string, isReserved = false) => {
    made += 1;
    const person = { email: email ?? `${role}-${made}@example.org`, role, passwordHash: 'argon2id', isReserved };
    return workspace.when(addMember(world, by, person));
  };
  const change = (id: string, role: Role, by: Caller = owner) => workspace.when(changeMember(world, by, id, role));
  const remove = (id: string, by: Caller = owner) => workspace.when(removeMember(world, by, id));
  return { workspace, world, owner, admin, ownerId: owner.actor.id ?? '', add, change, remove };
}

describe('members', () => {
  it('are added with an address that no one else here has, no matter its case', () => {
    const { add, owner } = opened();
    const added = add('member', owner, 'Ada@Example.org');
    const { id } = added.thenRecorded(['member.added', { role: 'member' }]);
    expect(id).toBe(added.answer().id);
    expect(JSON.stringify(added.entries)).not.toMatch(/ada|argon2id/i);
    expect(added.deposits).toMatchObject([
      {
        texts: {
          content: JSON.stringify({
            email: 'Ada@Example.org',
            password_hash: 'argon2id',
            person_id: id,
            password_set_at: begun,
          }),
        },
      },
    ]);
    add('member', owner, 'ada@example.ORG').thenRefused('member_exists');
    add('member', owner, 'OWNER@example.org').thenRefused('member_exists');
  });

  it('get no account here whose address is reserved for an operator, but an operator who has one is added', () => {
    const email = 'Ops@Example.org';
    const unknown = opened();
    unknown.add('member', unknown.owner, email, true).thenRefused('admin_required');
    const account = { emailKey: 'ops@example.org', passwordHash: 'theirs', passwordSetAt: begun };
    const known = opened('enterprise', [
      { id: 'ops', memberships: [{ id: 'ops', workspaceId: 'elsewhere', ...account }] },
    ]);
    expect(known.add('member', known.owner, email, true).answer()).toMatchObject({ hadPassword: true });
  });

  // @covers ERR-admin_required ERR-last_owner ERR-member_not_found
  it('are made and unmade owners by owners only, and one owner is always left', () => {
    const { add, change, remove, admin, ownerId } = opened();
    add('owner', admin).thenRefused('admin_required');
    const { id: member } = add('member', admin).answer();
    change(member, 'owner', admin).thenRefused('admin_required');
    change(ownerId, 'member', admin).thenRefused('admin_required');
    remove(ownerId, admin).thenRefused('admin_required');
    change(ownerId, 'admin').thenRefused('last_owner');
    remove(ownerId).thenRefused('last_owner');
    change(member, 'owner').thenRecorded(['member.changed', { member_id: member, role: 'owner' }]);
    expect(change(member, 'owner').thenRecorded()).toBeNull();
    remove(ownerId).thenRecorded(['member.removed', { member_id: ownerId }]);
    remove(ownerId).thenRefused('member_not_found');
    change(ownerId, 'member').thenRefused('member_not_found');
    change(member, 'reader').thenRefused('last_owner');
  });

  // @covers PLAN-FREE-PEOPLE ERR-plan_people_limit
  it.each([
    'free',
    'pro',
  ] as const)('take the seats of the plan %s when they have a role, and give them back', (plan) => {
    const { add, change, remove } = opened(plan);
    const limit = planLimits[plan].people ?? 0;
    const seated = Array.from({ length: limit - 1 }, () => add('reader').answer().id);
    add('member').thenRefused('plan_people_limit', { current_plan: plan, limit, used: limit });
    const { id } = add('none').answer();
    change(id, 'reader').thenRefused('plan_people_limit', { limit, used: limit });
    change(seated[0] ?? '', 'admin').answer();
    change(seated[0] ?? '', 'none').answer();
    change(id, 'reader').answer();
    remove(id).answer();
    add('member').answer();
  });

  it('have as many seats as they need on plans without that limit', () => {
    for (const plan of ['team', 'enterprise'] as const) {
      const { add } = opened(plan);
      for (let i = 0; i < 20; i += 1) add('member').answer();
    }
  });

  it('have their account under the entry of the last password, which names the one before', () => {
    const { workspace, world, owner, add } = opened();
    const { id, receipt_id } = add('member').answer();
    const to = (hash: string) => workspace.when(changePassword(world, owner.actor, id, hash));
    const { receiptId: first } = to('first').thenRecorded([
      'member.password_changed',
      { replaced_receipt_id: receipt_id },
    ]);
    to('second').thenRecorded(['member.password_changed', { member_id: id, replaced_receipt_id: first }]);
    expect(workspace.state().members.get(id)).toMatchObject({ role: 'member', email: 'member-1@example.org' });
    workspace.when(changePassword(world, owner.actor, 'no one', 'x')).thenRefused('member_not_found');
  });
});

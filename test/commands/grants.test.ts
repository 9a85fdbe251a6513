import { describe, expect, it } from 'vitest';
import { limits } from '../../contracts/limits.js';
import { linkAgent, unlinkAgent } from '../../src/commands/agents.js';
import { runBy } from '../../src/commands/by-caller.js';
import type { Command } from '../../src/commands/command.js';
import { createGrant, type NewGrant, revokeGrant } from '../../src/commands/grants.js';
import { addMember, changeMember, removeMember } from '../../src/commands/members.js';
import { createNamespace, deleteNamespace } from '../../src/commands/namespaces.js';
import { system } from '../../src/commands/open-workspace.js';
import { changePassword } from '../../src/commands/passwords.js';
import type { Run } from '../../src/commands/run.js';
import type { Caller } from '../../src/domain/caller.js';
import { begun, given } from '../support/given.js';

const agent = `agn_${'a'.repeat(32)}`;
const nothing = '00000000-0000-7000-8000-00000000ffff';

function opened() {
  const workspace = given();
  const { world, when } = workspace;
  const owner = workspace.person('owner');
  const linked = when(linkAgent(world, owner, { agent_id: agent, name: null }, 'hash of a token')).answer().id;
  const joined = (role: 'admin' | 'member' | 'reader' | 'none', email = `${role}@example.org`) => {
    const { id } = when(addMember(world, owner, { email, role, passwordHash: 'hash', isReserved: false })).answer();
    return workspace.person(role, id);
  };
  const grant = (by: Caller, more: Partial<NewGrant> = {}) =>
    when(
      createGrant(world, by, {
        grantId: world.id(),
        clientId: 'client-1',
        clientName: 'Desk',
        redirectHost: 'desk.example.org',
        agentId: agent,
        scopes: ['mcp:tools', 'memory.read', 'memory.write'],
        namespaceIds: [workspace.namespaceId],
        ...more,
      }),
    );
  const has = (id: string) => workspace.state().grants.has(id);
  return { workspace, world, when, owner, linked, joined, grant, has };
}

describe('a grant', () => {
  // @covers GRANT-ENTRY
  it('records the person, the client, the agent, scopes and namespaces, for 90 days', () => {
    const { workspace, owner, joined, grant } = opened();
    const member = joined('member');
    const { expires_at } = grant(member, { grantId: 'g-1' }).thenRecorded([
      'grant.created',
      {
        grant_id: 'g-1',
        member_id: member.actor.id,
        client_id: 'client-1',
        client_name: 'Desk',
        redirect_host: 'desk.example.org',
        agent_id: agent,
        scopes: ['mcp:tools', 'memory.read', 'memory.write'],
        namespace_ids: [workspace.namespaceId],
      },
    ]);
    expect(Date.parse(expires_at) - Date.parse(begun)).toBe(90 * 24 * 3_600_000);
    grant(member, { grantId: 'g-1' }).thenRefused('invalid_request');
    grant(owner, { agentId: null }).thenRecorded(['grant.created', { agent_id: null }]);
  });

  // @covers GRANT-WITHIN-ROLE
  it('is never more than its person reaches', () => {
    const { workspace, world, when, owner, joined, grant } = opened();
    grant(joined('none')).thenRefused('workspace_role_required');
    grant(workspace.person('owner', nothing)).thenRefused('session_expired');
    const reader = joined('reader');
    grant(reader).thenRefused('read_only');
    grant(reader, { scopes: ['mcp:tools', 'memory.read'] }).answer();
    // The role counts that the person has when the command is decided.
    const demoted = joined('member');
    when(changeMember(world, owner, demoted.actor.id ?? '', 'reader')).answer();
    grant(demoted).thenRefused('read_only');
  });

  // @covers GRANT-FIELDS
  it('needs mcp:tools, at least one namespace that exists, and an agent that is linked or none', () => {
    const { workspace, world, when, owner, grant } = opened();
    const gone = when(createNamespace(world, owner, 'gone')).answer().id;
    when(deleteNamespace(world, owner, gone, null, 0)).answer();
    grant(owner, { scopes: [] }).thenRefused('invalid_request');
    grant(owner, { scopes: ['memory.read'] }).thenRefused('invalid_request');
    grant(owner, { namespaceIds: [] }).thenRefused('invalid_namespace_ids');
    grant(owner, { namespaceIds: [nothing] }).thenRefused('namespace_not_found');
    grant(owner, { namespaceIds: [workspace.namespaceId, gone] }).thenRefused('namespace_deleted');
    grant(owner, { agentId: `agn_${'b'.repeat(32)}` }).thenRefused('agent_not_linked');
    for (const clientId of ['', 'a\0b', 'a b', 'x'.repeat(2049)])
      grant(owner, { clientId }).thenRefused('invalid_request');
    const clientName = `\0${'n'.repeat(limits.clientNameCharacters)}n\ud800`;
    grant(owner, { clientName }).thenRecorded([
      'grant.created',
      { client_name: 'n'.repeat(limits.clientNameCharacters) },
    ]);
  });

  // @covers GRANT-REVOKE ERR-grant_not_found
  it('is ended by its person, by an owner or admin, or by the service, and only once', () => {
    const { world, when, owner, joined, grant, has } = opened();
    const [admin, member, other] = [joined('admin'), joined('member'), joined('member', 'other@example.org')];
    const made = () => grant(member).answer().grant_id;
    const end = (by: Parameters<typeof revokeGrant>[1], id: string) => when(revokeGrant(world, by, id, 'person'));
    const id = made();
    end(other, id).thenRefused('grant_not_found');
    end({ ...other, role: 'owner' }, id).thenRefused('grant_not_found');
    end(member, id).thenRecorded(['grant.revoked', { grant_id: id, reason: 'person' }]);
    expect(has(id)).toBe(false);
    end(member, id).thenRefused('grant_not_found');
    for (const by of [owner, admin]) end(by, made()).answer();
    const replayed = revokeGrant(world, system, made(), 'replayed_token');
    expect(when(replayed).entries).toMatchObject([{ actor: { type: 'system' }, body: { reason: 'replayed_token' } }]);
  });

  // @covers GRANT-ENDS
  it('ends with the membership of its person and with the link of its agent, and loses deleted namespaces', () => {
    const { workspace, world, when, owner, linked, joined, grant, has } = opened();
    const member = joined('member');
    const other = when(createNamespace(world, owner, 'other')).answer().id;
    const both = grant(owner, { namespaceIds: [workspace.namespaceId, other], agentId: null }).answer().grant_id;
    when(deleteNamespace(world, owner, other, null, 0)).answer();
    expect(workspace.state().grants.get(both)?.namespaceIds).toEqual([workspace.namespaceId]);
    const [first, second] = [grant(member, { agentId: null }).answer(), grant(owner).answer()];
    when(removeMember(world, owner, member.actor.id ?? '')).answer();
    expect([has(first.grant_id), has(second.grant_id)]).toEqual([false, true]);
    when(unlinkAgent(world, owner, linked)).answer();
    expect([has(second.grant_id), has(both)]).toEqual([false, true]);
  });
});

/** A command that only asks whether it may happen. */
const acting = ({ actor }: Caller): Command<undefined> => ({
  actor,
  reads: {},
  decide: () => ({ drafts: [], deposits: [], answer: () => undefined }),
});

/** A caller as the identification of a call has found it, and what the command of that call becomes. */
function inFlight() {
  const { workspace, world, when, owner, linked, joined, grant } = opened();
  const run: Run = async (_workspace, command) => when(command).answer();
  const member = joined('member');
  const { grant_id } = grant(member).answer();
  const caller: Caller = {
    ...workspace.key([workspace.namespaceId], {
      type: 'grant',
      id: grant_id,
      user_id: member.actor.id,
      agent_id: agent,
      via: 'mcp',
    }),
    agent,
    scopes: ['mcp:tools', 'memory.read', 'memory.write'],
  };
  const call = (access: 'memory.read' | 'memory.write') =>
    runBy(run, caller, access)(caller.workspaceId, acting(caller));
  return { workspace, world, when, owner, linked, member, grantId: grant_id, call };
}

describe('a grant that lost rights while a call was in progress', () => {
  // @covers MCP-REVOKED-IN-FLIGHT GRANT-NARROWED
  it('is narrowed to what its person may do now', async () => {
    const { world, when, owner, member, call } = inFlight();
    const role = (to: 'member' | 'reader' | 'none') =>
      when(changeMember(world, owner, member.actor.id ?? '', to)).answer();
    await call('memory.write');
    role('reader');
    await expect(call('memory.write')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await call('memory.read');
    role('none');
    await expect(call('memory.read')).rejects.toMatchObject({ code: 'workspace_role_required' });
    role('member');
    await call('memory.write');
  });

  // @covers MCP-REVOKED-IN-FLIGHT
  it('writes nothing once it is revoked, its person is removed, its agent is unlinked or it has expired', async () => {
    for (const end of ['revoke', 'remove', 'unlink', 'expire'] as const) {
      const { world, when, owner, linked, member, grantId, call, workspace } = inFlight();
      await call('memory.write');
      if (end === 'revoke') when(revokeGrant(world, member, grantId, 'person')).answer();
      if (end === 'remove') when(removeMember(world, owner, member.actor.id ?? '')).answer();
      if (end === 'unlink') when(unlinkAgent(world, owner, linked)).answer();
      if (end === 'expire') when(createNamespace(world, owner, 'later'), limits.grantMs).answer();
      const later = end === 'expire' ? limits.grantMs : 0;
      const run: Run = async (_workspace, command) => when(command, later).answer();
      const caller: Caller = {
        ...workspace.key(undefined, { type: 'grant', id: grantId, user_id: member.actor.id, via: 'mcp' }),
        scopes: ['mcp:tools', 'memory.write'],
      };
      const write = runBy(run, caller, 'memory.write')(workspace.id, acting(caller));
      await expect(write, end).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  // @covers MCP-REVOKED-IN-FLIGHT
  it('reaches no namespace that was deleted', async () => {
    const { world, when, owner, member, workspace } = inFlight();
    const other = when(createNamespace(world, owner, 'only')).answer().id;
    const grant = { clientId: 'c', clientName: null, redirectHost: 'localhost', agentId: null };
    const scopes = ['mcp:tools', 'memory.write'] as const;
    when(createGrant(world, member, { ...grant, grantId: 'g', scopes, namespaceIds: [other] })).answer();
    when(deleteNamespace(world, owner, other, null, 0)).answer();
    const caller: Caller = {
      ...workspace.key([other], { type: 'grant', id: 'g', user_id: member.actor.id, via: 'mcp' }),
      scopes,
    };
    const run: Run = async (_workspace, command) => when(command).answer();
    const write = runBy(run, caller, 'memory.write')(workspace.id, acting(caller));
    await expect(write).rejects.toMatchObject({ code: 'key_has_no_namespaces' });
  });
});

// @covers GRANT-REPLACED GRANT-PASSWORD
it('a grant ends when it is replaced, and when the password of its person changes', () => {
  const { when, world, joined, grant, has } = opened();
  const [member, admin] = [joined('member'), joined('admin')];
  const first = grant(member).answer().grant_id;
  const ofAdmin = grant(admin).answer().grant_id;
  const second = grant(member).answer().grant_id;
  const withoutAgent = grant(member, { agentId: null }).answer().grant_id;
  expect([first, second, withoutAgent, ofAdmin].map(has)).toEqual([false, true, true, true]);
  when(changePassword(world, member.actor, member.actor.id ?? '', 'another hash')).answer();
  expect([second, withoutAgent, ofAdmin].map(has)).toEqual([false, false, true]);
});

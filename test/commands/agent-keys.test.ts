import { describe, expect, it } from 'vitest';
import { bindAgentKey, createAgentKey, type NewAgentKey, revokeAgentKey } from '../../src/commands/agent-keys.js';
import { linkAgent, unlinkAgent } from '../../src/commands/agents.js';
import { runBy } from '../../src/commands/by-caller.js';
import { createNamespace, deleteNamespace } from '../../src/commands/namespaces.js';
import type { Run } from '../../src/commands/run.js';
import { createWebhook } from '../../src/commands/webhooks.js';
import type { Caller } from '../../src/domain/caller.js';
import { given } from '../support/given.js';

const agent = `agn_${'a'.repeat(32)}`;
const otherAgent = `agn_${'b'.repeat(32)}`;
const nothing = '00000000-0000-7000-8000-00000000ffff';

function opened() {
  const workspace = given();
  const { world, when } = workspace;
  const owner = workspace.person('owner');
  const link = (agent_id: string) =>
    when(linkAgent(world, owner, { agent_id, name: null }, 'hash of a token')).answer().id;
  const linked = link(agent);
  return {
    workspace,
    world,
    owner,
    link,
    linked,
    namespace: (name: string) => when(createNamespace(world, owner, name)).answer().id,
    create: (namespaces?: readonly string[], linkId = linked, more: Partial<NewAgentKey> = {}) => {
      const key: NewAgentKey = { name: 'desk', scopes: ['memory.read'], namespaces, ...more };
      return when(createAgentKey(world, owner, linkId, key, 'hash of a secret'));
    },
    bind: (id: string, namespaces: readonly string[], linkId = linked) =>
      when(bindAgentKey(world, owner, linkId, id, namespaces)),
    revoke: (id: string, linkId = linked) => when(revokeAgentKey(world, owner, linkId, id)),
    unlink: (linkId = linked) => when(unlinkAgent(world, owner, linkId)),
  };
}

describe('a key of an agent', () => {
  // @covers AGK-FORM AGK-DEFAULT
  it('belongs to the agent of its link, and the hash of its secret is in the vault only', () => {
    const { workspace, namespace, linked, create } = opened();
    const id = namespace('work');
    const made = create();
    made.thenRecorded([
      'agent_key.created',
      {
        link_id: linked,
        agent_id: agent,
        name: 'desk',
        scopes: ['memory.read'],
        namespace_ids: [workspace.namespaceId],
      },
    ]);
    expect(JSON.stringify(made.entries)).not.toContain('hash of a secret');
    expect(made.deposits).toMatchObject([{ texts: { content: 'hash of a secret' } }]);
    create(['work', id, 'default']).thenRecorded(['agent_key.created', { namespace_ids: [id, workspace.namespaceId] }]);
    create([]).thenRecorded(['agent_key.created', { namespace_ids: [] }]);
    create(['nowhere']).thenRefused('namespace_not_found');
    create(undefined, nothing).thenRefused('agent_not_found');
  });

  // @covers AGK-BOUND
  it('is bound again, loses a namespace that is deleted, and is gone once it is revoked', () => {
    const { workspace, world, owner, namespace, link, create, bind, revoke } = opened();
    const [a, b] = [namespace('a'), namespace('b')];
    const { key_id, receipt_id } = create(['a']).answer();
    bind(key_id, ['b', 'a']).thenRecorded(['agent_key.bound', { key_id, namespace_ids: [b, a] }]);
    workspace.when(deleteNamespace(world, owner, b, null, 0)).answer();
    expect(workspace.state().agentKeys.get(key_id)?.namespaceIds).toEqual([a]);
    bind(key_id, [b]).thenRefused('namespace_deleted');
    const elsewhere = link(otherAgent);
    bind(key_id, ['a'], elsewhere).thenRefused('key_not_found');
    revoke(key_id, elsewhere).thenRefused('key_not_found');
    revoke(key_id, nothing).thenRefused('agent_not_found');
    revoke(key_id).thenRecorded(['agent_key.revoked', { key_id, created_receipt_id: receipt_id }]);
    revoke(key_id).thenRefused('key_not_found');
    bind(key_id, ['a']).thenRefused('key_not_found');
  });

  // @covers AGK-UNLINK
  it('ends with the link of its agent, before its webhooks', () => {
    const { workspace, world, owner, link, create, unlink } = opened();
    const keys = [create().answer(), create().answer()];
    const elsewhere = link(otherAgent);
    const other = create(undefined, elsewhere).answer();
    const url = new URL('https://hooks.example.org/');
    const webhook = { agentId: agent, name: null, url, pattern: { source: 's' }, secret: 'whsec_x' };
    workspace.when(createWebhook(world, owner, webhook)).answer();
    unlink().thenRecorded(
      ['agent_key.revoked', { key_id: keys[0]?.key_id, created_receipt_id: keys[0]?.receipt_id }],
      ['agent_key.revoked', { key_id: keys[1]?.key_id }],
      ['webhook.deleted', {}],
      ['agent.unlinked', { agent_id: agent }],
    );
    expect([...workspace.state().agentKeys.keys()]).toEqual([other.key_id]);
  });

  // @covers AGK-UNLINK
  it('ends with the same receipts however often the command is decided', () => {
    const { workspace, world, owner, linked, create } = opened();
    create().answer();
    create().answer();
    const command = unlinkAgent(world, owner, linked);
    const head = { seq: 1, hash: '' };
    const decided = () => {
      const decision = command.decide(workspace.state(), '2026-01-15T12:00:00.000Z', head);
      return decision.drafts.map(({ kind, receipt_id }) => [kind, receipt_id]);
    };
    const first = decided();
    expect(first.length).toBe(3);
    expect(decided()).toEqual(first);
  });
});

// @covers MCP-REVOKED-IN-FLIGHT
it('an agent key that lost its rights while a call was in progress writes nothing', async () => {
  const { workspace, world, linked, namespace, create, bind, unlink } = opened();
  const a = namespace('a');
  const { key_id } = create(['a', 'default']).answer();
  const run: Run = async (_workspace, command) => workspace.when(command).answer();
  const caller: Caller = {
    ...workspace.key([workspace.namespaceId, a], { type: 'agent_key', id: key_id, agent_id: agent, via: 'mcp' }),
    agent,
    scopes: ['mcp:tools', 'memory.write'],
  };
  const write = () =>
    runBy(run, caller, 'memory.write')(caller.workspaceId, createNamespace(world, caller, `from ${linked}`));
  bind(key_id, []).answer();
  await expect(write()).rejects.toMatchObject({ code: 'key_has_no_namespaces' });
  bind(key_id, ['default']).answer();
  await expect(write()).rejects.toMatchObject({ code: 'namespace_out_of_scope' });
  unlink().answer();
  await expect(write()).rejects.toMatchObject({ code: 'unauthorized' });
});

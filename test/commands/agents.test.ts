import { describe, expect, it } from 'vitest';
import { limits } from '../../contracts/limits.js';
import { linkAgent, unlinkAgent } from '../../src/commands/agents.js';
import { createWebhook, deleteWebhook } from '../../src/commands/webhooks.js';
import { given } from '../support/given.js';

const agentNamed = (n: number): string => `agn_${String(n).padStart(32, 'a')}`;

function opened() {
  const workspace = given();
  const { world } = workspace;
  const owner = workspace.person('owner');
  const link = (agent_id: string) =>
    workspace.when(linkAgent(world, owner, { agent_id, name: null }, 'hash of a token'));
  const unlink = (id: string) => workspace.when(unlinkAgent(world, owner, id));
  const hook = (agentId: string, caller = owner) => {
    const url = new URL('https://hooks.example.org/secret-path');
    const webhook = { agentId, name: null, url, pattern: { source: 'nowhere' }, secret: 'whsec_x' };
    return workspace.when(createWebhook(world, caller, webhook));
  };
  const unhook = (agentId: string, id: string) => workspace.when(deleteWebhook(world, owner, agentId, id));
  return { workspace, link, unlink, hook, unhook };
}

describe('an agent', () => {
  // @covers ERR-agent_exists ERR-agent_not_found
  it('is linked once at a time, and its token is in the vault only', () => {
    const { link, unlink } = opened();
    const linked = link(agentNamed(1));
    const { id, receipt_id } = linked.thenRecorded(['agent.linked', { agent_id: agentNamed(1), name: null }]);
    expect(JSON.stringify(linked.entries)).not.toContain('hash of a token');
    link(agentNamed(1)).thenRefused('agent_exists');
    unlink('no one').thenRefused('agent_not_found');
    unlink(id).thenRecorded(['agent.unlinked', { link_id: id, linked_receipt_id: receipt_id }]);
    unlink(id).thenRefused('agent_not_found');
    link(agentNamed(1)).answer();
  });

  // @covers ERR-agent_not_linked ERR-webhook_not_found
  it('has webhooks that end with its link, each with an entry', () => {
    const { workspace, link, unlink, hook, unhook } = opened();
    hook(agentNamed(1)).thenRefused('agent_not_linked');
    const { id } = link(agentNamed(1)).answer();
    const { id: other } = link(agentNamed(2)).answer();
    const made = hook(agentNamed(1));
    made.thenRecorded(['webhook.created', { agent_id: agentNamed(1), namespace_ids: null }]);
    expect(JSON.stringify(made.entries)).not.toMatch(/secret-path|whsec|nowhere/);
    const second = hook(agentNamed(1)).answer().id;
    const third = hook(agentNamed(2)).answer().id;
    unhook(agentNamed(2), second).thenRefused('webhook_not_found');
    unhook(agentNamed(1), second).thenRecorded(['webhook.deleted', { webhook_id: second }]);
    unhook(agentNamed(1), second).thenRefused('webhook_not_found');
    unlink(id).thenRecorded(['webhook.deleted', { webhook_id: made.answer().id }], ['agent.unlinked', { link_id: id }]);
    expect([...workspace.state().webhooks.keys()]).toEqual([third]);
    unlink(other).thenRecorded(['webhook.deleted', { webhook_id: third }], ['agent.unlinked', { link_id: other }]);
  });

  it('has webhooks of a key that see the namespaces of that key only', () => {
    const { workspace, link, hook } = opened();
    link(agentNamed(1)).answer();
    hook(agentNamed(1), workspace.key()).thenRecorded(['webhook.created', { namespace_ids: [workspace.namespaceId] }]);
  });

  // @covers ERR-subscription_limit
  it('has 50 webhooks at most, and all agents of a workspace 500 together', () => {
    const { link, hook, unhook } = opened();
    const { webhooksPerAgent, webhooksPerWorkspace } = limits;
    const agents = webhooksPerWorkspace / webhooksPerAgent;
    let last = '';
    for (let n = 0; n < agents; n += 1) {
      link(agentNamed(n)).answer();
      for (let i = 0; i < webhooksPerAgent; i += 1) last = hook(agentNamed(n)).answer().id;
      hook(agentNamed(n)).thenRefused('subscription_limit', { limit: webhooksPerAgent });
    }
    link(agentNamed(agents)).answer();
    hook(agentNamed(agents)).thenRefused('subscription_limit', { limit: webhooksPerWorkspace });
    unhook(agentNamed(agents - 1), last).answer();
    hook(agentNamed(agents)).answer();
  });
});

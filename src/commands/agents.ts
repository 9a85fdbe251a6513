import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { Caller } from '../domain/caller.js';
import { commit } from '../ledger/chain.js';
import { receiptId, type World } from '../world.js';
import type { Command } from './command.js';
import { webhookDeleted } from './webhooks.js';

export interface AgentLinked {
  readonly id: string;
  readonly agent_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly receipt_id: string;
}

/** Links an agent's identity to the workspace. Only the hash of its token is kept, in the vault. @throws Refusal agent_exists */
export function linkAgent(
  world: World,
  caller: Caller,
  agent: { readonly agent_id: string; readonly name: string | null },
  tokenHash: string,
): Command<AgentLinked> {
  const id = world.id();
  const receipt = receiptId(world);
  const salt = world.random(32);
  return {
    actor: caller.actor,
    reads: { agents: [agent.agent_id] },
    decide(state, recordedAt) {
      if (state.agents.has(agent.agent_id)) throw new Refusal('agent_exists');
      const body = { link_id: id, ...agent, token_commitment: commit(salt, tokenHash) };
      return {
        drafts: [{ kind: 'agent.linked', receipt_id: receipt, body }],
        deposits: [{ receiptId: receipt, salt, texts: { content: tokenHash } }],
        answer: () => ({ id, ...agent, created_at: recordedAt, receipt_id: receipt }),
      };
    },
  };
}

export interface AgentUnlinked {
  readonly id: string;
  readonly unlinked: true;
  readonly receipt_id: string;
}

/** Ends a link and the agent's webhooks, and destroys what was kept of them. @throws Refusal agent_not_found */
export function unlinkAgent(world: World, caller: Caller, linkId: string): Command<AgentUnlinked> {
  const receipt = receiptId(world);
  const receipts = Array.from({ length: limits.webhooksPerAgent }, () => receiptId(world));
  return {
    actor: caller.actor,
    reads: { agents: [linkId], webhooks: true },
    decide(state) {
      const agent = [...state.agents.values()].find(({ id }) => id === linkId);
      if (!agent) throw new Refusal('agent_not_found');
      const webhooks = [...state.webhooks.values()].filter(({ agentId }) => agentId === agent.agentId);
      const deleted = receipts.flatMap((one, i) => {
        const webhook = webhooks[i];
        return webhook ? webhookDeleted(one, webhook) : [];
      });
      const body = { link_id: linkId, agent_id: agent.agentId, linked_receipt_id: agent.receiptId };
      return {
        drafts: [...deleted, { kind: 'agent.unlinked', receipt_id: receipt, body }],
        deposits: [],
        answer: () => ({ id: linkId, unlinked: true, receipt_id: receipt }),
      };
    },
  };
}

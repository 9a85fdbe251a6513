import type { AgentUnlinked } from '../../contracts/agents.js';
import type { KeyProof } from '../../contracts/entries/registry.js';
import { Refusal } from '../../contracts/errors.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import { agentKeyRevoked, agentOf } from './agent-keys.js';
import type { Command } from './command.js';
import { erc8004Unlinked } from './erc8004.js';
import { entries, recording } from './record.js';
import type { Agents } from './state/agents.js';
import { webhookDeleted } from './webhooks.js';

/** An agent that will be linked. */
export interface AgentToLink {
  readonly agent_id: string;
  readonly name: string | null;
  readonly handle?: string | null;
  /** A checked proof over the workspace and the handle, and the vendor of the identity. */
  readonly proved?: { readonly proof: KeyProof; readonly vendor: string | null } | null;
}

interface AgentLinked {
  readonly id: string;
  readonly agent_id: string;
  readonly handle: string | null;
  readonly name: string | null;
  readonly proved: boolean;
  readonly created_at: string;
  readonly receipt_id: string;
}

/**
 * Links an agent's identity to the workspace, under a handle if it has one. Only the hash of its token is stored, in the
 * vault. An identity has one link, and a handle belongs to one identity. @throws Refusal agent_exists
 */
export function linkAgent(
  world: World,
  caller: Caller,
  { agent_id, name, handle = null, proved = null }: AgentToLink,
  tokenHash: string,
): Command<AgentLinked> {
  const id = world.id();
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { agents: handle === null ? [agent_id] : [agent_id, handle] },
    decide(state, recordedAt) {
      requireFree(state.agents, agent_id, handle);
      const body = {
        link_id: id,
        agent_id,
        name,
        token_commitment: record.commit(tokenHash),
        ...(handle === null ? {} : { handle }),
        ...proved,
      };
      return record.entry(
        { kind: 'agent.linked', body },
        {
          id,
          agent_id,
          handle,
          name,
          proved: proved !== null,
          created_at: recordedAt,
          receipt_id: record.receipt,
        },
        { content: tokenHash },
      );
    },
  };
}

function requireFree(linked: Agents, agentId: string, handle: string | null): void {
  if (linked.has(agentId)) throw new Refusal('agent_exists');
  const other = [...linked.values()].find((one) => handle !== null && one.handle === handle);
  if (other) throw new Refusal('agent_exists', `The handle ${handle} is linked to another identity.`);
}

/**
 * Ends a link with the keys, the webhooks and the link to ERC-8004 of its agent, and destroys what was stored of them.
 * @throws Refusal agent_not_found
 */
export function unlinkAgent(world: World, caller: Caller, linkId: string): Command<AgentUnlinked> {
  const receipt = receiptId(world);
  const receiptOf = receiptsOf(world);
  return {
    actor: caller.actor,
    reads: { agents: [linkId], agentKeys: [linkId], erc8004Links: [linkId], webhooks: true },
    decide(state) {
      const agent = agentOf(state.agents, linkId);
      const keys = [...state.agentKeys.values()].filter((key) => key.linkId === linkId);
      const erc8004 = [...state.erc8004Links.values()].filter((link) => link.linkId === linkId);
      const webhooks = [...state.webhooks.values()].filter(({ agentId }) => agentId === agent.agentId);
      const body = { link_id: linkId, agent_id: agent.agentId, linked_receipt_id: agent.receiptId };
      return entries(
        [
          ...keys.map((key) => agentKeyRevoked(receiptOf(key.id), key)),
          ...erc8004.map((link) => erc8004Unlinked(receiptOf(link.receiptId), link)),
          ...webhooks.map((webhook) => webhookDeleted(receiptOf(webhook.id), webhook)),
          { kind: 'agent.unlinked', receipt_id: receipt, body },
        ],
        { id: linkId, unlinked: true, receipt_id: receipt },
      );
    },
  };
}

/** The id of the receipt about each thing that ends with the link: the same one, however often the command is decided. */
function receiptsOf(world: World): (id: string) => string {
  const receipts = new Map<string, string>();
  return (id) => {
    const known = receipts.get(id) ?? receiptId(world);
    receipts.set(id, known);
    return known;
  };
}

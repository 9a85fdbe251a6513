import type { Entry } from '../../contracts/entries/entry.js';

/** An agent that is linked to the workspace. */
export interface AgentState {
  /** Of the link. */
  readonly id: string;
  readonly agentId: string;
  /** Of the entry that linked it. */
  readonly receiptId: string;
}

export interface WebhookState {
  readonly id: string;
  readonly agentId: string;
  /** Of the entry that made it. */
  readonly receiptId: string;
}

type AgentEntry = Extract<Entry, { kind: 'agent.linked' | 'agent.unlinked' }>;
type WebhookEntry = Extract<Entry, { kind: 'webhook.created' | 'webhook.deleted' }>;

/** The linked agents after an entry, by identity. */
export function agentsAfter(before: ReadonlyMap<string, AgentState>, entry: AgentEntry) {
  const agents = new Map(before);
  const { link_id: id, agent_id: agentId } = entry.body;
  if (entry.kind === 'agent.unlinked') agents.delete(agentId);
  else agents.set(agentId, { id, agentId, receiptId: entry.receipt_id });
  return agents;
}

export function webhooksAfter(before: ReadonlyMap<string, WebhookState>, entry: WebhookEntry) {
  const webhooks = new Map(before);
  const { webhook_id: id, agent_id: agentId } = entry.body;
  if (entry.kind === 'webhook.deleted') webhooks.delete(id);
  else webhooks.set(id, { id, agentId, receiptId: entry.receipt_id });
  return webhooks;
}

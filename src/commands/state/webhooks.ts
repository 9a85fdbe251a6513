import { hasWebhooks, webhooksOf } from '../../../projections/webhooks/queries.js';
import { type Slice, stepwise, without } from './slice.js';

export interface WebhookState {
  readonly id: string;
  readonly agentId: string;
  /** Of the entry that created the webhook. */
  readonly receiptId: string;
}

/** By id. */
export type Webhooks = ReadonlyMap<string, WebhookState>;

/** All webhooks of the workspace. */
export const webhooks: Slice<true, Webhooks> = {
  empty: new Map(),
  async load({ tx, workspaceId }) {
    const rows = await webhooksOf(tx, workspaceId);
    return new Map(rows.map(({ id, agent_id, receipt_id }) => [id, { id, agentId: agent_id, receiptId: receipt_id }]));
  },
  evolve: stepwise({
    'webhook.created': (before, { entry }) => {
      const { webhook_id: id, agent_id: agentId } = entry.body;
      return new Map(before).set(id, { id, agentId, receiptId: entry.receipt_id });
    },
    'webhook.deleted': (before, { entry }) => without(before, entry.body.webhook_id),
  }),
};

/** Whether the workspace has webhooks, which may be notified of new memories. */
export const listeners: Slice<true, boolean> = {
  empty: false,
  load: ({ tx, workspaceId }) => hasWebhooks(tx, workspaceId),
  // When the last one has been deleted meanwhile, it is found out later that there is none.
  evolve: stepwise({ 'webhook.created': () => true }),
};

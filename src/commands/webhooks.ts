import type { Draft } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { WebhookPattern } from '../../contracts/webhooks.js';
import { NotAllowed, type PublicNetwork, publicAddresses } from '../adapters/public-fetch.js';
import { withDeadline } from '../base/deadline.js';
import { receiptId, type World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import { exactCanonical } from '../domain/exact-json.js';
import type { Command } from './command.js';
import { system } from './open-workspace.js';
import { entries, recording } from './record.js';
import type { WorkspaceState } from './state/state.js';
import type { WebhookState } from './state/webhooks.js';

/** Reads the address of a webhook. @throws Refusal invalid_request when it is not one of the public internet over https */
export type ReadTarget = (text: string) => Promise<URL>;

/** No caller waits longer for a slow name server: each delivery asks it again. */
const resolveMs = 2000;

export function createReadTarget(network: PublicNetwork): ReadTarget {
  const addressesFor = publicAddresses(network);
  return async (text) => {
    const url = targetOf(text, network.allowPrivate);
    if (url === null) throw refused('it must be an absolute https address');
    await withDeadline(resolveMs, (signal) => addressesFor(url, signal)).catch((error) => {
      if (error instanceof NotAllowed) throw refused(error.message.replace(/\.$/, ''));
      // A name that leads nowhere now may lead somewhere when there is something to deliver.
    });
    return url;
  };
}

/** @returns null for what is no address, or, where https is required, for an address without it */
export function targetOf(text: string, allowPrivate: boolean): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  url.hash = '';
  return url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:') ? url : null;
}

function refused(why: string): Refusal {
  return new Refusal('invalid_request', `webhook_url: ${why}.`);
}

interface NewWebhook {
  readonly agentId: string;
  readonly name: string | null;
  readonly url: URL;
  readonly pattern: WebhookPattern;
  readonly secret: string;
}

interface WebhookCreated {
  readonly id: string;
  readonly created_at: string;
}

/**
 * Makes a webhook. Its address, secret and pattern are kept in the vault. The webhook of a key is notified of memories in the
 * namespaces that the key was bound to when it created the webhook, as far as the key still reaches them when a delivery is sent.
 * @throws Refusal agent_not_linked, subscription_limit
 */
export function createWebhook(world: World, caller: Caller, webhook: NewWebhook): Command<WebhookCreated> {
  const id = world.id();
  const record = recording(world);
  const { agentId, name, url, pattern, secret } = webhook;
  const content = exactCanonical({ url: url.href, secret, pattern });
  return {
    actor: caller.actor,
    reads: { agents: [agentId], webhooks: true },
    decide(state, recordedAt) {
      if (!state.agents.has(agentId)) throw new Refusal('agent_not_linked');
      requireRoom(state, agentId);
      const namespace_ids = caller.role === null ? caller.namespaceIds : null;
      const body = {
        webhook_id: id,
        agent_id: agentId,
        name,
        namespace_ids,
        target_commitment: record.commit(content),
      };
      return record.entry({ kind: 'webhook.created', body }, { id, created_at: recordedAt }, { content });
    },
  };
}

function requireRoom(state: WorkspaceState, agentId: string): void {
  const all = [...state.webhooks.values()];
  const { webhooksPerAgent, webhooksPerWorkspace } = limits;
  if (all.filter((one) => one.agentId === agentId).length >= webhooksPerAgent) {
    throw new Refusal('subscription_limit', `An agent has at most ${webhooksPerAgent} webhooks.`, {
      limit: webhooksPerAgent,
    });
  }
  if (all.length >= webhooksPerWorkspace) {
    throw new Refusal('subscription_limit', `A workspace has at most ${webhooksPerWorkspace} webhooks.`, {
      limit: webhooksPerWorkspace,
    });
  }
}

/** Ends a webhook of the agent and destroys its address and secret. @throws Refusal webhook_not_found */
export function deleteWebhook(world: World, caller: Caller, agentId: string, id: string): Command<void> {
  const receipt = receiptId(world);
  return {
    actor: caller.actor,
    reads: { webhooks: true },
    decide(state) {
      const webhook = state.webhooks.get(id);
      if (webhook?.agentId !== agentId) throw new Refusal('webhook_not_found');
      return entries([webhookDeleted(receipt, webhook)], undefined);
    },
  };
}

/** Deletes a webhook whose target is lost, so that no read model may have it any more. A repetition changes nothing else. */
export function deleteLostWebhook(
  world: World,
  webhook: Pick<WebhookState, 'id' | 'agentId' | 'receiptId'>,
): Command<void> {
  const receipt = receiptId(world);
  return { actor: system, reads: {}, decide: () => entries([webhookDeleted(receipt, webhook)], undefined) };
}

export function webhookDeleted(receipt: string, webhook: Pick<WebhookState, 'id' | 'agentId' | 'receiptId'>): Draft {
  const body = { webhook_id: webhook.id, agent_id: webhook.agentId, created_receipt_id: webhook.receiptId };
  return { kind: 'webhook.deleted', receipt_id: receipt, body };
}

import { outcomeUnknown, Refusal } from '../../../contracts/errors.js';
import { webhookCreated, webhookDeleted, webhookIn, webhookList } from '../../../contracts/webhooks.js';
import { type WebhookView, webhooksOfAgent } from '../../../projections/webhooks/queries.js';
import { answering, once as onlyOnce } from '../../commands/once.js';
import { createWebhook, deleteWebhook, type WebhookCreated } from '../../commands/webhooks.js';
import { type Caller, readableNamespaces } from '../../domain/caller.js';
import { RawJson } from '../../domain/json-text.js';
import { webhookSecret } from '../../domain/webhooks.js';
import { isUuid } from '../input.js';
import { endpoint } from '../operation.js';

export const webhookListEndpoint = endpoint({
  method: 'GET',
  path: '/v1/webhooks',
  summary: "The agent's webhooks, newest first; of an address only the host is shown",
  access: 'memory.read',
  needsAgent: true,
  addressLimit: 'webhookLists',
  query: {},
  body: {},
  answers: { 200: webhookList },
  refusals: ['agent_required', 'agent_not_linked', 'method_not_allowed', 'memory_unavailable'],
  async handle({ caller }, { read }) {
    const rows = await stored(read((tx) => webhooksOfAgent(tx, caller.workspaceId, agentOf(caller))));
    return { status: 200, body: { data: rows.map(webhookShape) } };
  },
});

export const webhookCreateEndpoint = endpoint({
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Create a webhook, which notifies an address of matching memories; its secret is shown once',
  access: 'memory.write',
  needsAgent: true,
  counted: 'write',
  query: {},
  body: webhookIn,
  answers: { 201: webhookCreated },
  refusals: [
    'agent_required',
    'agent_not_linked',
    'invalid_json',
    'invalid_request',
    'namespace_out_of_scope',
    'namespace_not_found',
    'subscription_limit',
    'memory_unavailable',
  ],
  async handle({ caller, body, once }, { run, world, readTarget }) {
    const { pattern } = body;
    readableNamespaces(caller, pattern.namespace_id === undefined ? undefined : [pattern.namespace_id]);
    const url = await readTarget(body.webhook_url);
    const secret = webhookSecret(world.random(secretBytes));
    const name = body.name ?? null;
    const shape = (made: WebhookCreated, shown: string | null) => ({
      ...{ id: made.id, name, host: url.host, pattern, status: 'active', created_at: made.created_at },
      ...{ last_delivery_at: null, last_status_code: null, secret: shown },
    });
    let made: WebhookCreated | undefined;
    // The answer that is kept for a repetition is on disk, where no secret may be a second time.
    const webhook = { agentId: agentOf(caller), name, url, pattern, secret };
    const command = answering(createWebhook(world, caller, webhook), (created) => {
      made = created;
      return { status: 201, body: shape(created, null) };
    });
    const answer = await stored(run(caller.workspaceId, onlyOnce(command, once)));
    return made ? { status: 201, body: shape(made, secret) } : answer;
  },
});

/** Ten times three: written in base64 without padding. */
const secretBytes = 30;

export const webhookDeleteEndpoint = endpoint({
  method: 'DELETE',
  path: '/v1/webhooks/:webhook_id',
  summary: 'Delete a webhook of the agent, and drop its pending deliveries',
  access: 'memory.write',
  needsAgent: true,
  counted: 'write',
  query: {},
  body: {},
  answers: { 200: webhookDeleted },
  refusals: ['agent_required', 'agent_not_linked', 'webhook_not_found', 'memory_unavailable'],
  async handle({ caller, params }, { run, world }) {
    const id = webhookIdOf(params);
    await stored(run(caller.workspaceId, deleteWebhook(world, caller, agentOf(caller), id)));
    return { status: 200, body: { id, deleted: true } };
  },
});

/** The agent that the request names: an endpoint that needs one is not asked without. */
export function agentOf({ agent }: Caller): string {
  if (agent === null) throw new Refusal('agent_required');
  return agent;
}

/** @throws Refusal webhook_not_found */
export function webhookIdOf({ webhook_id: id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw new Refusal('webhook_not_found');
  return id.toLowerCase();
}

/**
 * The result of work with the store, every failure of which has one code here.
 * @param sentence the message when the store failed; without one, nothing has changed then
 * @throws Refusal memory_unavailable
 */
export async function stored<T>(work: Promise<T>, sentence?: string): Promise<T> {
  return work.catch((error) => {
    if (error instanceof Refusal && error.code !== 'receipt_unavailable') throw error;
    const unknown = error instanceof Refusal && error.message === outcomeUnknown;
    throw new Refusal('memory_unavailable', unknown ? outcomeUnknown : sentence, {}, { cause: error });
  });
}

function webhookShape({ failing, disabled, pattern, ...row }: WebhookView) {
  const status = disabled ? 'disabled' : failing ? 'failing' : 'active';
  return { ...row, pattern: new RawJson(pattern), status };
}

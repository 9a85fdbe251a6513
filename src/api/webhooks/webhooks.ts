import { outcomeUnknown, Refusal } from '../../../contracts/errors.js';
import { webhookCreated, webhookDeleted, webhookIn, webhookList } from '../../../contracts/webhooks.js';
import { type WebhookView, webhooksOfAgent } from '../../../projections/webhooks/queries.js';
import { RawJson } from '../../base/json-text.js';
import { isUuid } from '../../base/world.js';
import { createWebhook, deleteWebhook } from '../../commands/webhooks.js';
import { type Caller, readableNamespaces } from '../../domain/caller.js';
import { exactCanonical } from '../../domain/exact-json.js';
import { sentPattern, storedPattern } from '../../domain/stored-pattern.js';
import { webhookSecret } from '../../domain/webhooks.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { shownOnce } from '../shown-once.js';

const exampleSecret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vayBpbiB0ZXN0cw==';

export const exampleWebhook = {
  id: samples.webhook,
  name: 'letters to the archive',
  host: 'hooks.example.org',
  pattern: { contains: 'ferry' },
  status: 'active',
  created_at: samples.at,
  last_delivery_at: null,
  last_status_code: null,
};

export const webhookListOperation = operation({
  method: 'GET',
  path: '/v1/webhooks',
  summary: "The agent's webhooks, newest first; of an address only the host is shown",
  access: 'memory.read',
  needsAgent: true,
  addressLimit: 'webhookLists',
  serving: { closed: true },
  answers: { 200: webhookList },
  refusals: ['method_not_allowed', 'memory_unavailable'],
  documentation: {
    id: 'listWebhooks',
    answers: { 200: { description: 'The complete list.', body: { data: [exampleWebhook] } } },
  },
  async handle({ caller }, { reading: { read, now } }) {
    const rows = await stored(read((tx) => webhooksOfAgent(tx, caller.workspaceId, agentOf(caller), now())));
    return { status: 200, body: { data: rows.map(webhookShape) } };
  },
});

export const webhookCreateOperation = operation({
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Create a webhook, which notifies an address of matching memories; its secret is shown once',
  access: 'memory.write',
  needsAgent: true,
  counted: 'write',
  body: webhookIn,
  answers: { 201: webhookCreated },
  refusals: [
    'invalid_json',
    'invalid_request',
    'namespace_out_of_scope',
    'namespace_not_found',
    'subscription_limit',
    'memory_unavailable',
  ],
  documentation: {
    id: 'createWebhook',
    body: 'WebhookIn',
    description:
      'Each memory that matches every field of the pattern is sent when it becomes ready. Check the header ' +
      'x-service-signature: t=<unix time>,v1=<hex of HMAC-SHA-256(secret, t + "." + body)>, or the headers of Standard Webhooks.',
    request: {
      webhook_url: 'https://hooks.example.org/counterfoil',
      name: 'letters to the archive',
      pattern: { contains: 'ferry' },
    },
    answers: {
      201: {
        description: 'The webhook, with its secret: it is shown once.',
        body: { ...exampleWebhook, secret: exampleSecret },
      },
    },
  },
  async handle({ caller, body, texts: sent, once }, { writing: { run, world, readTarget } }) {
    const pattern = sentPattern(sent);
    readableNamespaces(caller, pattern.namespace_id === undefined ? undefined : [pattern.namespace_id]);
    const url = await readTarget(body.webhook_url);
    const secret = webhookSecret(world.random(secretBytes));
    const name = body.name ?? null;
    const webhook = { agentId: agentOf(caller), name, url, pattern, secret };
    const command = createWebhook(world, caller, webhook);
    const { workspaceId } = caller;
    const shape = ({ id, created_at }: { id: string; created_at: string }, shown: string | null) => ({
      id,
      name,
      host: url.host,
      pattern: new RawJson(exactCanonical(pattern)),
      status: 'active' as const,
      created_at,
      last_delivery_at: null,
      last_status_code: null,
      secret: shown,
    });
    // The address and the pattern are texts of the vault, which are destroyed with the webhook.
    const texts = ['host', 'pattern'];
    return stored(shownOnce(run, { workspaceId, request: once, secret }, command, shape, texts));
  },
});

/** Ten times three: written in base64 without padding. */
const secretBytes = 30;

export const webhookDeleteOperation = operation({
  method: 'DELETE',
  path: '/v1/webhooks/:webhook_id',
  summary: 'Delete a webhook of the agent, and drop its pending deliveries',
  access: 'memory.write',
  needsAgent: true,
  counted: 'write',
  serving: { closed: true },
  answers: { 200: webhookDeleted },
  refusals: ['webhook_not_found', 'memory_unavailable'],
  documentation: {
    id: 'deleteWebhook',
    description: 'Only for the agent that owns it. Pending deliveries are dropped.',
    answers: { 200: { description: 'The webhook was deleted.', body: { id: samples.webhook, deleted: true } } },
  },
  async handle({ caller, params }, { writing: { run, world } }) {
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

/** A webhook as its agent sees it. */
export function webhookShape(view: WebhookView) {
  const { failing, disabled: _, readable: __, reach: ___, pattern, ...row } = view;
  const reason = whyDisabled(view);
  const status = reason !== null ? 'disabled' : failing ? 'failing' : 'active';
  return {
    ...row,
    pattern: new RawJson(pattern),
    status,
    ...(reason !== null && { disabled_reason: reason }),
  } as const;
}

/** @returns null for a webhook that is not disabled */
function whyDisabled({ disabled, readable, reach, pattern }: WebhookView): string | null {
  if (!readable) {
    return 'The key, grant or person that made this webhook has no access to the workspace any more. Delete it and make another one.';
  }
  if (reach !== null && !isWithin(pattern, reach)) {
    return 'The key or grant that made this webhook cannot read the namespaces of this webhook any more. It reports again once its creator can read them.';
  }
  return disabled ? 'Deliveries failed for three days. Send one again: if it succeeds, the webhook is active.' : null;
}

/** Whether there is a namespace that the webhook may report. */
function isWithin(pattern: string, reach: readonly string[]): boolean {
  const { namespace_id: only } = storedPattern(pattern);
  return only === undefined ? reach.length > 0 : reach.includes(only);
}

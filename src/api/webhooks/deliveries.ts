import { outcomeUnknown, Refusal } from '../../../contracts/errors.js';
import { delivery, deliveryList, deliveryListQuery } from '../../../contracts/webhooks.js';
import { deliveriesOf, requeueDelivery } from '../../../projections/webhooks/deliveries.js';
import { hasWebhook } from '../../../projections/webhooks/queries.js';
import { isUuid } from '../../base/world.js';
import { onceIn } from '../../commands/once.js';
import type { Transaction } from '../../database/database.js';
import type { Caller } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { agentOf, stored, webhookIdOf } from './webhooks.js';

const exampleDelivery = {
  id: samples.job,
  webhook_id: samples.webhook,
  memory_id: samples.memory,
  state: 'delivered',
  attempts: 1,
  last_status_code: 204,
  last_error: null,
  next_attempt_at: null,
  created_at: samples.at,
  updated_at: samples.later,
};

/** A key sees only the deliveries about memories that it reaches, also of a webhook that another key has made. */

export const deliveryListOperation = operation({
  method: 'GET',
  path: '/v1/webhooks/:webhook_id/deliveries',
  summary: 'The deliveries of a webhook, sent and pending, newest first',
  access: 'memory.read',
  needsAgent: true,
  query: deliveryListQuery,
  answers: { 200: deliveryList },
  refusals: ['invalid_cursor', 'invalid_request', 'webhook_not_found', 'memory_unavailable'],
  documentation: {
    id: 'listDeliveries',
    query: { state: 'Only those that wait, have arrived, or were given up.' },
    answers: { 200: { description: 'A page of deliveries.', body: { data: [exampleDelivery], next_cursor: null } } },
  },
  async handle({ caller, params, query: { state, limit, cursor } }, { reading: { read, cursors } }) {
    const id = webhookIdOf(params);
    const bound = [caller.workspaceId, id, state];
    const before = cursor === undefined ? null : cursors.open('deliveries', bound, cursor);
    const rows = await stored(
      read(async (tx) => {
        await requireOwn(tx, caller, id);
        return deliveriesOf(tx, id, caller.namespaceIds, state ?? null, before, limit + 1);
      }),
    );
    const data = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(data) : undefined;
    return { status: 200, body: { data, next_cursor: last ? cursors.seal('deliveries', bound, last.id) : null } };
  },
});

export const redeliverOperation = operation({
  method: 'POST',
  path: '/v1/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
  summary: 'Send a delivery again, or immediately if it waits for its next attempt',
  access: 'memory.write',
  needsAgent: true,
  counted: 'write',
  answers: { 202: delivery },
  refusals: ['webhook_not_found', 'delivery_not_found', 'memory_unavailable'],
  documentation: {
    id: 'redeliver',
    recordsNothing: true,
    answers: {
      202: {
        description: 'The delivery, which will be sent again.',
        body: { ...exampleDelivery, state: 'pending', attempts: 0, next_attempt_at: samples.later },
      },
    },
  },
  async handle({ caller, params, once }, { writing: { transaction, world, wakeDeliveries } }) {
    const id = webhookIdOf(params);
    const { delivery_id: deliveryId = '' } = params;
    if (!isUuid(deliveryId)) throw new Refusal('delivery_not_found');
    const now = world.now();
    const answer = await stored(
      transaction((tx) =>
        onceIn(tx, caller.workspaceId, once, now, async () => {
          await requireOwn(tx, caller, id);
          const body = await requeueDelivery(tx, id, caller.namespaceIds, deliveryId.toLowerCase(), now);
          if (!body) throw new Refusal('delivery_not_found');
          return { status: 202, body };
        }),
      ),
      outcomeUnknown,
    );
    wakeDeliveries();
    return answer;
  },
});

/** @throws Refusal webhook_not_found */
async function requireOwn(tx: Transaction, caller: Caller, id: string): Promise<void> {
  if (!(await hasWebhook(tx, caller.workspaceId, agentOf(caller), id))) throw new Refusal('webhook_not_found');
}

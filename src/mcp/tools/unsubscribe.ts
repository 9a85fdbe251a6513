import { z } from 'zod';
import { field } from '../../../contracts/input.js';
import { webhookDeleteOperation } from '../../api/webhooks/webhooks.js';
import type { Tool } from '../tool.js';
import { argument, argumentList } from './argument-list.js';
import { answerOf } from './arguments.js';
import { withAgent } from './owner.js';
import { readDeleted } from './webhook-shapes.js';

const list = argumentList('invalid_request', {
  subscription_id: argument(field(z.guid(), 'invalid_request'), 'As list_subscriptions returns it.'),
});

export const unsubscribe: Tool = {
  needs: webhookDeleteOperation,
  definition: {
    name: 'unsubscribe',
    title: 'Unsubscribe',
    description:
      'Delete one webhook subscription by its id, so that its address gets no more notifications or deliveries. Use it to stop, cancel, ' +
      'remove or silence alerts.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  async call(args, calling) {
    const { subscription_id: id } = args.value;
    const params = { webhook_id: typeof id === 'string' ? id : '' };
    const structured = readDeleted(await withAgent(answerOf(webhookDeleteOperation, list, args, calling, { params })));
    const text = `Subscription ${structured.id} is deleted. Its address gets no more notifications.`;
    return { text, structured };
  },
};

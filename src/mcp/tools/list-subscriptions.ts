import { webhookListOperation } from '../../api/webhooks/webhooks.js';
import { fitResult, resultCharacters, resultTokens } from '../results/fitting.js';
import type { Tool } from '../tool.js';
import { argumentList } from './argument-list.js';
import { answerOf } from './arguments.js';
import { withAgent } from './owner.js';
import { inWords, readWebhooks, shortWebhook } from './webhook-shapes.js';

const list = argumentList('unknown_field', {});

const shortened = 'The list is long, so names and patterns are cut.';

export const listSubscriptions: Tool = {
  needs: webhookListOperation,
  definition: {
    name: 'list_subscriptions',
    title: 'List subscriptions',
    description:
      'List the webhook subscriptions of this agent with their ids, hosts and patterns: which are active, failing or disabled, and when the last ' +
      'delivery was.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    const data = readWebhooks(await withAgent(answerOf(webhookListOperation, list, args, calling, {})));
    return fitResult(calling.services.memories.budget, resultTokens, async (share) => {
      const shown = data.map((one) => shortWebhook(one, share));
      const isCut = shown.some((one) => 'pattern_truncated' in one);
      const lines = shown.map((one, n) => `${n + 1}. ${inWords(one)}`);
      const lead =
        data.length === 0
          ? 'This agent has no subscriptions. Use subscribe to create one.'
          : `This agent has ${data.length} subscriptions, the newest first.`;
      return {
        text: [lead, ...lines, ...(isCut ? [shortened] : [])].join('\n'),
        structured: { data: shown, ...(isCut && { message: shortened }) },
      };
    });
  },
};

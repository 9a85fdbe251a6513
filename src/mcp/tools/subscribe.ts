import { webhookIn } from '../../../contracts/webhooks.js';
import { webhookCreateOperation } from '../../api/webhooks/webhooks.js';
import { fitResult, resultCharacters, resultTokens } from '../results/fitting.js';
import type { Tool } from '../tool.js';
import { argument, argumentList } from './argument-list.js';
import { answerOf } from './arguments.js';
import { withAgent } from './owner.js';
import { inWords, readCreated, shortWebhook } from './webhook-shapes.js';

const list = argumentList('invalid_request', {
  webhook_url: argument(webhookIn.webhook_url, {
    says: 'The public https address that receives a signed POST for each matching memory.',
    format: 'uri',
  }),
  name: argument(webhookIn.name, 'A short name for lists, without line breaks.'),
  pattern: argument(webhookIn.pattern, {
    says: 'Which memories are sent: every member that is given must match, and at least one must be given.',
    members: {
      namespace_id: { says: 'Memories of this namespace.' },
      agent_id: { says: 'Memories that this agent wrote.' },
      user_id: { says: 'Memories of this person.' },
      app_id: { says: 'Memories that this application wrote.' },
      run_id: { says: 'Memories of this run or session.' },
      source: { says: 'The origin of the memory is one of these.', items: { says: 'One text.' } },
      metadata: { says: 'Metadata key → the value that it must have. "a.b" is a key, no path.' },
      contains: {
        says: 'Words, signs and emoji that the text of the memory contains, all of them, in any order, with or without accents.',
        items: { says: 'One text.' },
      },
    },
  }),
});

const once =
  'Store the secret now, because it is shown only this once: receivers check the signature of each delivery with it.';
const repeated =
  'The secret was shown in the first answer to this request. If it is lost, unsubscribe and subscribe again.';

export const subscribe: Tool = {
  definition: {
    name: 'subscribe',
    title: 'Subscribe to new memories',
    description:
      'Create a webhook subscription: from now on an https address is notified of every new memory that matches a pattern (words that ' +
      'it contains, its source, namespace, author or metadata). Use it when someone wants to be alerted, informed, called or pinged ' +
      'whenever something new is written. It returns a signing secret, which is shown only once.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    const answer = answerOf(webhookCreateOperation, list, args, calling, { body: args.text });
    const created = readCreated(await withAgent(answer));
    const message = created.secret === null ? repeated : once;
    const secret = created.secret === null ? '' : `\nSecret: ${created.secret}`;
    return fitResult(calling.services.memories.budget, resultTokens, async (share) => {
      const shown = shortWebhook(created, share);
      return { text: `${inWords(shown)}${secret}\n${message}`, structured: { ...shown, message } };
    });
  },
};

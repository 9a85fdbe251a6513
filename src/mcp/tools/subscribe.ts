import { webhookIn } from '../../../contracts/webhooks.js';
import { webhookCreateOperation } from '../../api/webhooks/webhooks.js';
import { fitResult, resultCharacters, resultTokens } from '../results/fitting.js';
import type { Tool } from '../tool.js';
import { argument, argumentList, type Words } from './argument-list.js';
import { answerOf } from './arguments.js';
import { withAgent } from './owner.js';
import { inWords, readCreated, shortWebhook } from './webhook-shapes.js';

/** The operation says the bounds of those that break them. */
const texts = (says: string): Words => ({ says, items: { says: 'One text.', unbounded: true }, unbounded: true });

const list = argumentList('invalid_request', {
  webhook_url: argument(webhookIn.webhook_url, {
    says: 'The public https address that gets a signed POST for each matching memory.',
    format: 'uri',
  }),
  name: argument(webhookIn.name, 'A short name for lists.'),
  pattern: argument(webhookIn.pattern, {
    says: 'Every member that is given must match; give at least one.',
    members: {
      namespace_id: { says: 'In this namespace.' },
      agent_id: { says: 'Written by this agent.', unbounded: true },
      user_id: { says: 'Of this person.', unbounded: true },
      app_id: { says: 'Written by this application.', unbounded: true },
      run_id: { says: 'Of this run or session.', unbounded: true },
      source: texts('Its source is one of these.'),
      metadata: { says: 'Key → the value that it must have.' },
      contains: texts('Words and signs that the text has, all of them.'),
    },
  }),
});

const once =
  'Store the secret now, because it is shown only this once: receivers check the signature of each delivery with it.';
const repeated =
  'The secret was shown in the first answer to this request. If it is lost, unsubscribe and subscribe again.';

export const subscribe: Tool = {
  needs: webhookCreateOperation,
  definition: {
    name: 'subscribe',
    title: 'Subscribe to new memories',
    description:
      'Create a webhook subscription: from now on an address is notified of every new memory that matches a pattern. Use it when someone wants to be ' +
      'alerted, informed or called whenever something new is written. It returns a signing secret, once.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
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

import { limits } from '../../../contracts/limits.js';
import { webhookCreateOperation } from '../../api/webhooks/webhooks.js';
import { fitResult, resultCharacters, resultTokens } from '../results/fitting.js';
import type { Tool } from '../tool.js';
import { type ArgumentList, answerOf } from './arguments.js';
import { withAgent } from './owner.js';
import { inWords, readCreated, shortWebhook } from './webhook-shapes.js';

const pattern = (description: string) =>
  ({ type: 'string', minLength: 1, maxLength: limits.patternCharacters, description }) as const;
const patterns = (description: string) =>
  ({ type: 'array', minItems: 1, maxItems: limits.patternValues, items: pattern('One text.'), description }) as const;

const list: ArgumentList = {
  schema: {
    type: 'object',
    properties: {
      webhook_url: {
        type: 'string',
        format: 'uri',
        minLength: 1,
        maxLength: limits.webhookUrlCharacters,
        description: 'The public https address that receives a signed POST for each matching memory.',
      },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: limits.nameCharacters,
        description: 'A short name for lists, without line breaks.',
      },
      pattern: {
        type: 'object',
        description: 'Which memories are sent: every member that is given must match, and at least one must be given.',
        properties: {
          namespace_id: { type: 'string', format: 'uuid', description: 'Memories of this namespace.' },
          agent_id: pattern('Memories that this agent wrote.'),
          user_id: pattern('Memories of this person.'),
          app_id: pattern('Memories that this application wrote.'),
          run_id: pattern('Memories of this run or session.'),
          source: patterns('The origin of the memory is one of these.'),
          metadata: {
            type: 'object',
            description: 'Metadata key → the value that it must have. "a.b" is a key, no path.',
          },
          contains: patterns(
            'Words, signs and emoji that the text of the memory contains, all of them, in any order, with or without accents.',
          ),
        },
      },
    },
    required: ['webhook_url', 'pattern'],
    additionalProperties: false,
  },
  unknown: 'invalid_request',
  codes: {},
  nullable: ['name'],
};

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
    return fitResult(calling.services.budget, resultTokens, async (share) => {
      const shown = shortWebhook(created, share);
      return { text: `${inWords(shown)}${secret}\n${message}`, structured: { ...shown, message } };
    });
  },
};

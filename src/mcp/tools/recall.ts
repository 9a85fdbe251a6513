import { limits } from '../../../contracts/limits.js';
import { searchOperation } from '../../api/memories/search.js';
import { resultCharacters } from '../results/fitting.js';
import { readFound } from '../results/found.js';
import type { Tool } from '../tool.js';
import { type ArgumentList, answerOf } from './arguments.js';
import { recallResult } from './recall-result.js';
import { namespaceIds, query } from './shared-arguments.js';

const text = (description: string) => ({ type: 'string', description }) as const;
const texts = (description: string) =>
  ({ type: 'array', description, items: text('One of the values that match.') }) as const;
const filterList = (description: string) =>
  ({ type: 'array', description, items: { type: 'object', description: 'A filter with the same members.' } }) as const;
const moment = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;

const list: ArgumentList = {
  schema: {
    type: 'object',
    properties: {
      query,
      namespace_ids: namespaceIds,
      agent_id: text('The id of an agent: memories that it wrote, and no others.'),
      k: {
        type: 'integer',
        minimum: 1,
        maximum: limits.searchMax,
        default: limits.searchDefault,
        description: 'The most memories to return.',
      },
      token_budget: {
        type: 'integer',
        minimum: limits.tokenBudgetMin,
        maximum: limits.tokenBudgetMax,
        default: limits.tokenBudgetDefault,
        description: 'The most tokens of memory text to return. The best memory is always returned, cut if it must be.',
      },
      filters: {
        type: 'object',
        description: 'Conditions that every returned memory fulfils. Leave it out to search everything.',
        properties: {
          source: texts('The origin of a memory is one of these.'),
          user_id: texts('The person that a memory is from is one of these.'),
          app_id: texts('The application that wrote a memory is one of these.'),
          run_id: texts('The run or session that wrote a memory is one of these.'),
          approved_by: texts('The member who approved the held write of a memory is one of these.'),
          created_after: moment('Written after this time (RFC 3339).'),
          created_before: moment('Written before this time (RFC 3339).'),
          include_playground: { type: 'boolean', description: 'true: test memories too.' },
          include_invalidated: { type: 'boolean', description: 'true: memories too that are not valid any more.' },
          metadata: {
            type: 'object',
            description:
              'Metadata key → the value that it must have, or tests: eq, ne, in, gt, gte, lt, lte, exists, contains. "a.b" is a key, no path.',
          },
          all: filterList('Filters that must all match.'),
          any: filterList('Filters of which at least one must match.'),
          not: filterList('Filters of which none may match.'),
        },
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  unknown: 'unknown_field',
  codes: {
    query: 'invalid_query',
    namespace_ids: 'invalid_namespace_ids',
    agent_id: 'invalid_agent_id',
    k: 'invalid_k',
    token_budget: 'invalid_token_budget',
    filters: 'invalid_filters',
  },
};

export const recall: Tool = {
  definition: {
    name: 'recall',
    title: 'Recall memories',
    description:
      'Search the stored memories by meaning and by keyword. Use it to find or look up facts that were noted about someone or something: ' +
      'who said or wrote it, when, where and why it did happen, in which notes. Each hit is one memory with its id, score, metadata, source, ' +
      'author and receipt hash, so that you can compare and cite it; filters narrow a search to dates, sources, people, applications or ' +
      'metadata. For one ready-made block of background text, use get_context instead.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    const found = readFound(await answerOf(searchOperation, list, args, calling, { body: args.text }));
    return recallResult(calling.services.budget, found);
  },
};

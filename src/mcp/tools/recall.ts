import { searchIn } from '../../../contracts/search.js';
import { searchOperation } from '../../api/memories/search.js';
import { resultCharacters } from '../results/fitting.js';
import { readFound } from '../results/found.js';
import type { Tool } from '../tool.js';
import { argument, argumentList, type Words } from './argument-list.js';
import { answerOf } from './arguments.js';
import { recallResult } from './recall-result.js';
import { namespaceIds, query } from './shared-arguments.js';

const texts = (says: string): Words => ({
  says,
  items: { says: 'One of the values that match.', unbounded: true },
  unbounded: true,
});
const filterList = (says: string): Words => ({
  says,
  items: { says: 'A filter with the same members.' },
  unbounded: true,
});

const list = argumentList('unknown_field', {
  query,
  namespace_ids: namespaceIds,
  agent_id: argument(searchIn.agent_id, {
    says: 'The id of an agent: memories that it wrote, and no others.',
    unbounded: true,
  }),
  k: argument(searchIn.k, 'The most memories to return.'),
  token_budget: argument(
    searchIn.token_budget,
    'The most tokens of memory text to return. The best memory is always returned, cut if it must be.',
  ),
  filters: argument(searchIn.filters, {
    says: 'Conditions that every returned memory fulfils. Leave it out to search everything.',
    members: {
      source: texts('The origin of a memory is one of these.'),
      user_id: texts('The person that a memory is from is one of these.'),
      app_id: texts('The application that wrote a memory is one of these.'),
      run_id: texts('The run or session that wrote a memory is one of these.'),
      approved_by: texts('The member who approved the held write of a memory is one of these.'),
      created_after: { says: 'Written after this time (RFC 3339).' },
      created_before: { says: 'Written before this time (RFC 3339).' },
      include_playground: { says: 'true: test memories too.' },
      include_invalidated: { says: 'true: memories too that are not valid any more.' },
      metadata: {
        says: 'Metadata key → the value that it must have, or tests: eq, ne, in, gt, gte, lt, lte, exists, contains. "a.b" is a key, no path.',
      },
      min_score: { says: 'Only hits with this score or more. Not inside of all, any and not.' },
      neighbours: {
        says: 'false: no hits that only the messages around them have found. Not inside of all, any and not.',
      },
      all: filterList('Filters that must all match.'),
      any: filterList('Filters of which at least one must match.'),
      not: filterList('Filters of which none may match.'),
    },
  }),
});

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
    return recallResult(calling.services.memories.budget, found);
  },
};

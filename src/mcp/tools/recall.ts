import { searchIn } from '../../../contracts/search.js';
import { searchOperation } from '../../api/memories/search.js';
import { fenceWord } from '../results/fence-word.js';
import { resultCharacters } from '../results/fitting.js';
import { readFound } from '../results/found.js';
import type { Tool } from '../tool.js';
import { argument, argumentList, type Words } from './argument-list.js';
import { answerOf } from './arguments.js';
import { recallResult } from './recall-result.js';
import { namespaceIds, query, withNamespaceIds } from './shared-arguments.js';

const texts = (says: string): Words => ({ says, items: { says: 'One value.', unbounded: true }, unbounded: true });
const filterList = (says: string): Words => ({ says, items: { says: 'A filter.' }, unbounded: true });

const list = argumentList('unknown_field', {
  query,
  namespace_ids: namespaceIds,
  agent_id: argument(searchIn.agent_id, { says: 'Written by this agent.', unbounded: true }),
  k: argument(searchIn.k, 'The most memories.'),
  token_budget: argument(searchIn.token_budget, 'The most tokens of text. The best memory is cut to fit.'),
  filters: argument(searchIn.filters, {
    says: 'Conditions that every memory fulfils.',
    members: {
      source: texts('Its source is one of these.'),
      user_id: texts('The person it is from.'),
      app_id: texts('The application that wrote it.'),
      run_id: texts('The run or session that wrote it.'),
      approved_by: texts('The member who approved it.'),
      created_after: { says: 'Written after (RFC 3339).' },
      created_before: { says: 'Written before.' },
      include_playground: { says: 'Test memories too.' },
      include_invalidated: { says: 'Memories too that are not valid any more.' },
      metadata: { says: 'Key → value, or tests: eq, ne, in, gt, gte, lt, lte, exists, contains.' },
      min_score: { says: 'Only hits with this score or more.' },
      neighbours: { says: 'false: no hits found only by the messages around them.' },
      all: filterList('All match.'),
      any: filterList('One matches.'),
      not: filterList('None matches.'),
    },
  }),
});

export const recall: Tool = {
  needs: searchOperation,
  definition: {
    name: 'recall',
    title: 'Recall memories',
    description:
      'Search the stored memories by meaning and by keyword: find or look up facts that were noted about someone or something, who said or wrote it, ' +
      'when, where and why it did happen. Each hit has its id, source and receipt; filters narrow by dates, sources, people or metadata. For one ' +
      'block of background text use get_context.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    const named = await withNamespaceIds(args, calling);
    const found = readFound(await answerOf(searchOperation, list, named, calling, { body: named.text }));
    const { memories, writing } = calling.services;
    return recallResult(memories.budget, fenceWord(writing.world.random), found);
  },
};

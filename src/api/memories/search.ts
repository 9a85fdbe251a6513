import { searchIn, searchResult } from '../../../contracts/search.js';
import { readableNamespaces } from '../../domain/caller.js';
import { readSearchFilter, sentFilters } from '../../domain/filters.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { exampleHit } from './examples.js';

export const searchOperation = operation({
  method: 'POST',
  path: '/v1/memories/search',
  summary: 'Search ready memories by meaning and by keyword',
  access: 'memory.read',
  counted: 'search',
  body: searchIn,
  unknown: 'unknown_field',
  answers: { 200: searchResult },
  refusals: [
    'invalid_json',
    'unknown_field',
    'invalid_query',
    'invalid_namespace_ids',
    'invalid_agent_id',
    'invalid_k',
    'invalid_token_budget',
    'invalid_filters',
    'namespace_out_of_scope',
    'namespace_not_found',
    'recall_receipt_unavailable',
    'search_unavailable',
  ],
  documentation: {
    id: 'searchMemories',
    body: 'MemorySearchIn',
    description:
      'Ready memories are ranked by the words of the query that they and the messages around them have, and by similarity, in one score that ' +
      'means the same in every search. A month or year in the query prefers memories from then (metadata.created_at, occurred_at or date, else when they were written). filters.min_score and filters.neighbours narrow the ranked hits. ' +
      'The search waits up to a second for at most 20 memories that its credential has written in the last 10 seconds, unless the header Prefer says wait=0. It is recorded as a receipt of kind ' +
      'memory.recall; if that is not possible, no hits are returned. When the dense arm cannot run, mode is keyword and degraded says why.',
    request: {
      query: 'When did Ada move to Lisbon?',
      k: 5,
      token_budget: 2000,
      filters: { metadata: { person: 'Ada', confidence: { gte: 0.5 } }, min_score: 0.2 },
    },
    answers: {
      200: {
        description: 'The hits, the best first, and the receipt of the search.',
        body: {
          receipt_id: samples.otherReceipt,
          receipt_hash: samples.otherHash,
          mode: 'fused',
          degraded: [],
          data: [exampleHit],
          left_out: { budget: 0, invalidated: 0 },
          tokens_used: 19,
          token_budget: 2000,
        },
      },
    },
  },
  async handle({ caller, body, texts, once, preferredWait, signal }, { memories: { search } }) {
    const { filter, hits } = readSearchFilter(sentFilters(texts));
    const namespaceIds = readableNamespaces(
      caller,
      body.namespace_ids?.map((id) => id.toLowerCase()),
    );
    const { query, agent_id: agentId, k, token_budget: tokenBudget } = body;
    const waits = preferredWait !== 0;
    return search(caller, { query, namespaceIds, agentId, k, tokenBudget, filter, hits, waits, signal }, once);
  },
});

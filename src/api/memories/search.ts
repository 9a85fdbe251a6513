import { searchIn, searchResult } from '../../../contracts/search.js';
import { readableNamespaces } from '../../domain/caller.js';
import { readFilter } from '../../domain/filters.js';
import { endpoint } from '../operation.js';

export const searchEndpoint = endpoint({
  method: 'POST',
  path: '/v1/memories/search',
  summary: 'Search ready memories by meaning and by keyword',
  access: 'memory.read',
  counted: 'search',
  query: {},
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
  ],
  async handle({ caller, body, once }, { search }) {
    const filter = readFilter(body.filters);
    const namespaceIds = readableNamespaces(
      caller,
      body.namespace_ids?.map((id) => id.toLowerCase()),
    );
    const { query, agent_id: agentId, k, token_budget: tokenBudget } = body;
    return search(caller, { query, namespaceIds, agentId, k, tokenBudget, filter }, once);
  },
});

import { namespaceList, namespaceListQuery } from '../../contracts/memory.js';
import { listNamespaces } from '../../projections/namespace/queries.js';
import { endpoint } from './endpoint.js';
import { lastOf } from './input.js';

export const namespaceListEndpoint = endpoint({
  method: 'GET',
  path: '/v1/namespaces',
  summary: 'The namespaces this key reaches, by name',
  scope: 'memory.read',
  query: namespaceListQuery,
  body: {},
  answers: { 200: namespaceList },
  refusals: ['invalid_cursor', 'invalid_request'],
  async handle({ caller, query }, { read, cursors }) {
    const { include, limit, cursor } = query;
    const bound = [caller.workspaceId, include];
    const after = cursor === undefined ? null : cursors.open('namespaces', bound, cursor);
    const rows = await read((tx) =>
      listNamespaces(tx, caller.workspaceId, caller.namespaceIds, after, limit + 1, include === 'stats'),
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(shown) : undefined;
    return {
      status: 200,
      body: { data: shown, next_cursor: last ? cursors.seal('namespaces', bound, last.name) : null },
    };
  },
});

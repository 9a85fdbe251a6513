import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { memoryList, memoryListQuery } from '../../../contracts/memory.js';
import type { Database } from '../../adapters/database/database.js';
import { type Caller, readableNamespaces } from '../../domain/caller.js';
import type { Cursors } from '../../domain/cursor.js';
import { withoutLongNegations } from '../../domain/web-query.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { summaryShape } from '../shapes.js';
import { exampleSummary } from './examples.js';
import { listPage } from './list-page.js';

export const memoryListOperation = operation({
  method: 'GET',
  path: '/v1/memories',
  summary: 'Ready memories, newest first',
  access: 'memory.read',
  query: memoryListQuery,
  answers: { 200: memoryList },
  refusals: [
    'invalid_query',
    'invalid_namespace_ids',
    'invalid_sort',
    'invalid_pagination',
    'invalid_page',
    'use_cursor_pagination',
    'invalid_cursor',
    'invalid_request',
    'namespace_out_of_scope',
    'namespace_not_found',
  ],
  documentation: {
    id: 'listMemories',
    description: 'Pages are reached with cursor, or with page up to offset 10000.',
    query: { q: 'tram OR train', limit: '25' },
    answers: { 200: { body: { data: [exampleSummary], next_cursor: samples.cursor } } },
  },
  async handle({ caller, query }, { readList, cursors, searched, vault }) {
    const { cursor, page, limit, include_playground: includePlayground } = query;
    const q = query.q === undefined ? undefined : withoutLongNegations(query.q);
    if (cursor !== undefined && page !== undefined) throw new Refusal('invalid_pagination');
    const offset = page === undefined ? 0 : (page - 1) * limit;
    if (offset > limits.listOffset) throw new Refusal('use_cursor_pagination');
    const { user_id, agent_id, app_id, run_id } = query;
    const namespaceIds = readableNamespaces(caller, query.namespace_id);
    const filter = { namespaceIds, user_id, agent_id, app_id, run_id, includePlayground };
    const bound = boundTo(caller, [query.namespace_id, q, user_id, agent_id, app_id, run_id, includePlayground]);
    const before = cursor === undefined ? null : cursors.open('memories', bound, cursor);
    const place = { before, offset, limit };
    const read: Database['read'] = (work) => readList(caller.workspaceId, work);
    const { rows, end } = await read((tx) => listPage(tx, searched, caller.workspaceId, q, filter, place));
    const shown = await vault.summaries(read, rows);
    return {
      status: 200,
      body: {
        data: shown.map(summaryShape),
        next_cursor: page === undefined && end !== null ? cursors.seal('memories', bound, end) : null,
      },
    };
  },
});

/** The values that a cursor is bound to: the workspace, and the filters in their order. */
function boundTo({ workspaceId }: Caller, filters: readonly unknown[]): readonly unknown[] {
  return [workspaceId, ...filters];
}

/** A cursor for the list without filters, which continues with the memories whose ids are smaller than this UUID. */
export function cursorBefore(cursors: Cursors, caller: Caller, id: string): string {
  const none = Array.from({ length: 6 }, () => undefined);
  return cursors.seal('memories', boundTo(caller, [...none, false]), id);
}

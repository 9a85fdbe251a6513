import { Refusal } from '../../../contracts/errors.js';
import type { ExactNumber } from '../../../contracts/exact-number.js';
import type { InputOf } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { memoryList, memoryListQuery } from '../../../contracts/memory-list.js';
import type { Database } from '../../database/database.js';
import { type Caller, readableNamespaces } from '../../domain/caller.js';
import type { Cursors } from '../../domain/cursor.js';
import { exactNumberOf, TooManyDigits } from '../../domain/exact-json.js';
import { noFilter } from '../../domain/filters.js';
import { memoryStatus } from '../../domain/pipeline.js';
import { namesFor } from '../names.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { summaryShape } from '../shapes.js';
import { exampleSummary } from './examples.js';
import { type Listed, listPage, listTotal } from './list-page.js';
import { memoryIds } from './named.js';

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
    'search_unavailable',
    'invalid_cursor',
    'invalid_source',
    'invalid_filters',
    'invalid_request',
    'namespace_out_of_scope',
    'namespace_not_found',
  ],
  documentation: {
    id: 'listMemories',
    description:
      'Pages are reached with cursor, or with page up to offset 10000. Memories that are pending or have failed are listed with status. A list by ' +
      'metadata, source, approver, status, time, invalidated or playground looks at a limited number of memories in one request: a page may then be shorter than limit, or empty, while ' +
      'next_cursor leads on.',
    query: { q: 'tram OR train', limit: '25' },
    answers: { 200: { body: { data: [exampleSummary], next_cursor: samples.cursor } } },
  },
  async handle({ caller, query }, { reading: { readList, cursors, vault }, memories: { searched } }) {
    const { q, cursor, page, limit, include_playground: includePlayground } = query;
    if (cursor !== undefined && page !== undefined) throw new Refusal('invalid_pagination');
    const offset = page === undefined ? 0 : (page - 1) * limit;
    if (offset > limits.listOffset) throw new Refusal('use_cursor_pagination');
    const listed = listedBy(query, q, readableNamespaces(caller, query.namespace_id));
    const { namespace_id, user_id, agent_id, app_id, run_id, approved_by, source, metadata, status, include } = query;
    // A list without these has the cursors that it had before there were such lists.
    const more = listed.isSelected
      ? [source, metadata, status, ...(approved_by === undefined ? [] : [approved_by]), ...timesAndMarks(query)]
      : [];
    const bound = boundTo(caller, [namespace_id, q, user_id, agent_id, app_id, run_id, includePlayground, ...more]);
    const before = cursor === undefined ? null : cursors.open('memories', bound, cursor);
    const place = { before, offset, limit };
    const { workspaceId } = caller;
    const read: Database['read'] = (work) => readList(workspaceId, work);
    const { rows, end } = await listPage(read, searched, workspaceId, listed, place);
    const shown = await vault.summaries(read, rows);
    const total = include?.includes('total') ? { total: await listTotal(read, searched, workspaceId, listed) } : {};
    const data = shown.map((row) => ({
      ...summaryShape(row, caller.namespaceIds),
      ...(status && { status: memoryStatus(row.stage) }),
    }));
    const names = namesFor(caller, include?.includes('names') ?? false);
    for (const one of data) names.note(memoryIds(one));
    return {
      status: 200,
      body: {
        data,
        next_cursor: page === undefined && end !== null ? cursors.seal('memories', bound, end) : null,
        ...total,
        ...(await names.read(read)),
      },
    };
  },
});

/** @throws Refusal invalid_request for words that are looked for in memories that have no index of words yet */
function listedBy(
  query: InputOf<typeof memoryListQuery>,
  q: string | undefined,
  namespaceIds: readonly string[],
): Listed {
  const { user_id, agent_id, app_id, run_id, approved_by, source, metadata, status, include_playground } = query;
  const { created_after, created_before, invalidated, playground } = query;
  if (q !== undefined && status !== undefined && status !== 'ready') {
    throw new Refusal('invalid_request', 'q finds ready memories only: send it without status, or with status=ready.');
  }
  const leaves = {
    ...(user_id !== undefined && { user_id: [user_id] }),
    ...(app_id !== undefined && { app_id: [app_id] }),
    ...(run_id !== undefined && { run_id: [run_id] }),
    ...(approved_by !== undefined && { approved_by: [approved_by] }),
    ...(source !== undefined && { source: [source] }),
    ...(metadata !== undefined && { metadata: conditionsOf(metadata) }),
    ...(created_after !== undefined && { created_after }),
    ...(created_before !== undefined && { created_before }),
    include_playground: include_playground || playground === 'only',
  };
  return {
    q,
    selection: {
      namespaceIds,
      filter: { ...noFilter, leaves },
      agentId: agent_id,
      status: status ?? 'ready',
      invalidated,
      playground,
    },
    isSelected:
      [approved_by, source, metadata, status].some((given) => given !== undefined) || timesAndMarks(query).length > 0,
    filter: { namespaceIds, user_id, agent_id, app_id, run_id, includePlayground: include_playground },
  };
}

/** The filters that came later than others, as a cursor is bound to them: nothing for a list without them. */
function timesAndMarks({ created_after, created_before, invalidated, playground }: InputOf<typeof memoryListQuery>) {
  const given = Object.entries({ created_after, created_before, invalidated, playground });
  const named = given.filter(([, value]) => value !== undefined);
  return named.length === 0 ? [] : [named];
}

/** A text of a query stands for itself, and for the number or the boolean that it spells. */
function conditionsOf(metadata: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(metadata).map(([key, text]) => [key, { in: [text, ...scalarsOf(text)] }]));
}

function scalarsOf(text: string): (number | ExactNumber | boolean)[] {
  if (text === 'true' || text === 'false') return [text === 'true'];
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return [];
  try {
    return [exactNumberOf(text)];
  } catch (error) {
    // A number that is not compared as one is still a text.
    if (error instanceof TooManyDigits) return [];
    throw error;
  }
}

/** The values that a cursor is bound to: the workspace, and the filters in their order. */
function boundTo({ workspaceId }: Caller, filters: readonly unknown[]): readonly unknown[] {
  return [workspaceId, ...filters];
}

/** A cursor for the list without filters, which continues with the memories whose ids are smaller than this UUID. */
export function cursorBefore(cursors: Cursors, caller: Caller, id: string): string {
  const none = Array.from({ length: 6 }, () => undefined);
  return cursors.seal('memories', boundTo(caller, [...none, false]), id);
}

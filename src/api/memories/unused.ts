import { limits } from '../../../contracts/limits.js';
import { unusedMemories, unusedMemoriesQuery } from '../../../contracts/recalls.js';
import { summariesByIds } from '../../../projections/memory/queries.js';
import { countUnused, type UnusedRow, unusedMemoriesIn } from '../../../projections/recalls/queries.js';
import type { Database } from '../../database/database.js';
import { readableNamespaces } from '../../domain/caller.js';
import { memoryStatus } from '../../domain/pipeline.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { summaryShape } from '../shapes.js';
import { exampleSummary } from './examples.js';

export const unusedMemoriesOperation = operation({
  method: 'GET',
  path: '/v1/memories/unused',
  summary: 'The memories of a namespace that no search has had among its results',
  access: 'memory.read',
  query: unusedMemoriesQuery,
  answers: { 200: unusedMemories },
  refusals: [
    'invalid_namespace_ids',
    'invalid_request',
    'invalid_cursor',
    'namespace_out_of_scope',
    'namespace_not_found',
  ],
  documentation: {
    id: 'listUnusedMemories',
    description:
      'Those that were never recalled come first, the oldest first; with since, then those whose last recall is the longest time ago. All searches ' +
      'count, those of other callers too. Test memories, invalidated ones and those that are not ready are among them, and ' +
      'say so, because most searches leave them out.',
    query: { namespace_id: samples.namespace, since: '2026-03-01', include: 'total', limit: '25' },
    answers: {
      200: {
        body: {
          data: [{ ...exampleSummary, status: 'ready', last_recalled_on: null }],
          next_cursor: samples.cursor,
          total: { value: 118, relation: 'eq' },
        },
      },
    },
  },
  async handle({ caller, query }, { reading: { readList, cursors, vault } }) {
    const { namespace_id: namespaceId, since, include, limit, cursor } = query;
    readableNamespaces(caller, [namespaceId]);
    const { workspaceId } = caller;
    const bound = [workspaceId, namespaceId, since];
    const after = cursor === undefined ? null : placeOf(cursors.open('unused', bound, cursor));
    const read: Database['read'] = (work) => readList(workspaceId, work);
    const { rows, memories, counted } = await read(async (tx) => {
      const found = await unusedMemoriesIn(tx, namespaceId, since, after, limit + 1);
      return {
        rows: found,
        memories: await summariesByIds(
          tx,
          found.slice(0, limit).map(({ memory_id }) => memory_id),
        ),
        counted: include === undefined ? null : await countUnused(tx, namespaceId, since, limits.listTotal + 1),
      };
    });
    const shown = new Map((await vault.summaries(read, memories)).map((row) => [row.id, row]));
    const last = rows.length > limit ? lastOf(rows.slice(0, limit)) : undefined;
    return {
      status: 200,
      body: {
        data: rows.slice(0, limit).flatMap(({ memory_id, recalled_on }) => {
          const row = shown.get(memory_id);
          return row
            ? [
                {
                  ...summaryShape(row, caller.namespaceIds),
                  status: memoryStatus(row.stage),
                  last_recalled_on: recalled_on,
                },
              ]
            : [];
        }),
        next_cursor: last ? cursors.seal('unused', bound, positionOf(last)) : null,
        ...(counted !== null && { total: totalOf(counted) }),
      },
    };
  },
});

const positionOf = ({ memory_id, recalled_on }: UnusedRow): string => `${memory_id} ${recalled_on ?? ''}`;

function placeOf(position: string): UnusedRow {
  const [memory_id = '', day = ''] = position.split(' ');
  return { memory_id, recalled_on: day === '' ? null : day };
}

const totalOf = (counted: number) => ({
  value: Math.min(counted, limits.listTotal),
  relation: counted <= limits.listTotal ? ('eq' as const) : ('gte' as const),
});

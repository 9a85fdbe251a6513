import { limits } from '../../../contracts/limits.js';
import { exportQuery, memoryExport } from '../../../contracts/memory.js';
import { exportMemories } from '../../../projections/memory/queries.js';
import { readableNamespaces } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { memoryShape } from '../shapes.js';
import { exampleMemory } from './examples.js';

export const memoryExportOperation = operation({
  method: 'GET',
  path: '/v1/memories/export',
  summary: 'Every memory, ready or not, in pages',
  access: 'export memories',
  answerBytes: limits.exportPageBytes,
  query: exportQuery,
  answers: { 200: memoryExport },
  refusals: ['admin_required', 'invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'exportMemories',
    description:
      'In the order of their ids. Those that are pending, or whose ingest has failed, are exported too: status says so. Follow next_cursor ' +
      'until it is null.',
    query: { limit: '100' },
    answers: {
      200: {
        body: {
          format: 'service-memories/1',
          data: [{ ...exampleMemory, namespace: { id: samples.namespace, name: 'default' } }],
          next_cursor: null,
        },
      },
    },
  },
  async handle({ caller, query }, { reading: { readList, cursors, vault } }) {
    const namespaceIds = readableNamespaces(caller, undefined);
    const bound = [caller.workspaceId];
    const after = query.cursor === undefined ? null : cursors.open('export', bound, query.cursor);
    const { workspaceId } = caller;
    const { rows, more } = await readList(workspaceId, async (tx) => {
      const page = await exportMemories(tx, workspaceId, namespaceIds, after, query.limit, limits.exportPageBytes);
      const last = lastOf(page)?.id ?? null;
      const rest = last === null ? [] : await exportMemories(tx, workspaceId, namespaceIds, last, 1, 1);
      return { rows: page, more: rest.length > 0 };
    });
    const last = lastOf(rows);
    return {
      status: 200,
      body: {
        format: 'service-memories/1',
        data: (await vault.genuine(rows)).map((row) => ({
          ...memoryShape(row, namespaceIds),
          namespace: { id: row.namespace_id, name: row.namespace_name },
        })),
        next_cursor: more && last ? cursors.seal('export', bound, last.id) : null,
      },
    };
  },
});

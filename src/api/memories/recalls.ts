import { Refusal } from '../../../contracts/errors.js';
import { memoryRecalls, memoryRecallsQuery } from '../../../contracts/recalls.js';
import { namespaceOfMemory } from '../../../projections/memory/queries.js';
import { recallsOf } from '../../../projections/recalls/queries.js';
import { isUuid } from '../../base/world.js';
import { recallShape } from '../../commands/memory-shape.js';
import { reaches } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { namesFor } from '../names.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { exampleProvenance } from './examples.js';

export const memoryRecallsOperation = operation({
  method: 'GET',
  path: '/v1/memories/:memory_id/recalls',
  summary: 'The searches that had a memory among their results, newest first',
  access: 'memory.read',
  query: memoryRecallsQuery,
  answers: { 200: memoryRecalls },
  refusals: ['memory_not_found', 'memory_out_of_scope', 'invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listMemoryRecalls',
    description:
      'Each with its receipt, who has searched, and the place of the memory among the results. The query itself is in no receipt. Searches are ' +
      'shown to callers who may read their receipts, that is, who reach all namespaces that were searched. At least the newest 1,000 searches ' +
      'are kept for each memory, and all of them are receipts: GET /v1/receipts?kind=memory.recall.',
    query: { limit: '25' },
    answers: {
      200: {
        body: {
          data: [
            {
              receipt_id: samples.otherReceipt,
              receipt_hash: samples.hash,
              recorded_at: samples.later,
              rank: 1,
              results: 8,
              mode: 'fused',
              namespace_ids: [samples.namespace],
              actor: { type: 'key', id: samples.key, ...exampleProvenance },
            },
          ],
          next_cursor: samples.cursor,
        },
      },
    },
  },
  async handle({ caller, params, query }, { reading: { read, readList, cursors } }) {
    const { workspaceId, namespaceIds } = caller;
    const memoryId = (params.memory_id ?? '').toLowerCase();
    const namespaceId = isUuid(memoryId) ? await read((tx) => namespaceOfMemory(tx, workspaceId, memoryId)) : undefined;
    if (namespaceId === undefined) throw new Refusal('memory_not_found');
    if (!reaches(caller, namespaceId)) throw new Refusal('memory_out_of_scope');
    const bound = [workspaceId, memoryId];
    const { cursor, limit } = query;
    const before = cursor === undefined ? null : Number(cursors.open('recalls', bound, cursor));
    const rows = await readList(workspaceId, (tx) =>
      recallsOf(tx, { workspaceId, memoryId }, namespaceIds, before, limit + 1),
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(shown) : undefined;
    const data = shown.map((row) => recallShape(memoryId, row));
    const names = namesFor(caller, query.include === 'names');
    for (const { actor, namespace_ids } of data) names.note({ actor, namespace_ids });
    return {
      status: 200,
      body: {
        data,
        next_cursor: last ? cursors.seal('recalls', bound, String(last.seq)) : null,
        ...(await names.read(read)),
      },
    };
  },
});

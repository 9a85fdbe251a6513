import { approvalMemories, selectedQuery } from '../../../contracts/delete-selected.js';
import { Refusal } from '../../../contracts/errors.js';
import { approvalTexts } from '../../../projections/approvals/queries.js';
import { summariesByIds } from '../../../projections/memory/queries.js';
import { RawJson } from '../../base/json-text.js';
import { filterOf } from '../../commands/delete-selected.js';
import { reaches } from '../../domain/caller.js';
import { idsAt } from '../../domain/id-list.js';
import { exampleSummary } from '../memories/examples.js';
import { memoryIds } from '../memories/named.js';
import { namesFor } from '../names.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { summaryShape } from '../shapes.js';
import { seenApproval } from './approvals.js';

export const approvalMemoriesOperation = operation({
  method: 'GET',
  path: '/v1/approvals/:approval_id/memories',
  summary: 'The memories that a bulk delete would delete, newest first, with its filter or its ids',
  access: 'memory.read',
  query: selectedQuery,
  answers: { 200: approvalMemories },
  refusals: ['approval_not_found', 'invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listApprovalMemories',
    description:
      'Only for bulk deletes, by a filter or by ids, and until the approval was used up, rejected or has expired: then filter and ids are destroyed. It is for those who decide ' +
      'and for the requester, who sends filter or ids again once the request is approved. Memories that were deleted meanwhile are left out, so a page may be shorter than limit.',
    answers: {
      200: {
        body: {
          filter: { filters: { source: 'chat-1' } },
          count: 1,
          left: 1,
          data: [exampleSummary],
          next_cursor: samples.cursor,
        },
      },
    },
  },
  async handle({ caller, params, query: { include, limit, cursor } }, { reading: { read, vault, cursors } }) {
    const { workspaceId } = caller;
    const { id } = await seenApproval(read, caller, params.approval_id ?? '');
    const stored = await read((tx) => approvalTexts(tx, workspaceId, id));
    if (!stored) {
      throw new Refusal(
        'approval_not_found',
        'This approval has no list of memories, or it has ended and the list was destroyed.',
      );
    }
    const texts = await vault.requireGenuine(stored);
    const { count, done, by_filter: byFilter, content } = texts;
    const bound = [workspaceId, id];
    const from = cursor === undefined ? 0 : Number(cursors.open('approval memories', bound, cursor));
    const end = Math.min(from + limit, count);
    const rows = await read((tx) => summariesByIds(tx, idsAt(content, from, end)));
    const reached = rows.filter(({ namespace_id }) => reaches(caller, namespace_id));
    const data = (await vault.summaries(read, reached)).map((row) => summaryShape(row, caller.namespaceIds));
    const next_cursor = end < count ? cursors.seal('approval memories', bound, String(end)) : null;
    const request = byFilter
      ? { filter: new RawJson(filterOf(texts)) }
      : { filter: null, ids: idsAt(content, 0, count) };
    const names = namesFor(caller, include === 'names');
    for (const one of data) names.note(memoryIds(one));
    return {
      status: 200,
      body: { ...request, count, left: count - done, data, next_cursor, ...(await names.read(read)) },
    };
  },
});

import { bulkDeleted, bulkDeleteIn } from '../../../contracts/approvals.js';
import { bulkDelete } from '../../commands/bulk-delete.js';
import { answering, once as onlyOnce } from '../../commands/once.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { erasureOf } from './erasure.js';

export const bulkDeleteOperation = operation({
  method: 'POST',
  path: '/v1/memories/bulk-delete',
  summary: 'Delete up to 1000 memories in one step, after an approval',
  access: 'memory.write',
  counted: 'write',
  body: bulkDeleteIn,
  answers: { 200: bulkDeleted },
  refusals: [
    'invalid_json',
    'invalid_ids',
    'too_many_ids',
    'invalid_request',
    'memory_out_of_scope',
    'approval_required',
    'approval_invalid',
    'approval_unavailable',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'bulkDelete',
    body: 'BulkDeleteIn',
    description:
      'The first call is refused with approval_required and requests an approval. After the approval, repeat the call ' +
      'with exactly the same ids and the receipt of the decision.',
    erases: true,
    request: { ids: [samples.memory, samples.otherMemory], approval_receipt_id: samples.receipt },
    answers: {
      200: {
        description: 'The deleted memories, with the receipts of their deletion.',
        body: {
          deleted: [{ id: samples.memory, deleted: true, receipt_id: samples.otherReceipt }],
          not_found: [samples.otherMemory],
        },
      },
    },
  },
  async handle({ caller, body, once }, { writing: { run, world }, memories: { removed, erased } }) {
    const ids = [...new Set(body.ids.map((id) => id.toLowerCase()))];
    const command = answering(bulkDelete(world, caller, ids, body.approval_receipt_id), (answer) => ({
      status: 200,
      body: answer,
    }));
    const answer = await run(caller.workspaceId, onlyOnce(command, once));
    return { ...answer, headers: await erasureOf({ removed, erased }, ids) };
  },
});

import { bulkDeleted, bulkDeleteIn } from '../../../contracts/approvals.js';
import { bulkDelete } from '../../commands/bulk-delete.js';
import { answering, once as onlyOnce } from '../../commands/once.js';
import { endpoint } from '../operation.js';

export const bulkDeleteEndpoint = endpoint({
  method: 'POST',
  path: '/v1/memories/bulk-delete',
  summary: 'Delete up to 1000 memories in one step, after an approval',
  access: 'memory.write',
  counted: 'write',
  query: {},
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
  async handle({ caller, body, once }, { run, world, removed }) {
    const ids = [...new Set(body.ids.map((id) => id.toLowerCase()))];
    const command = answering(bulkDelete(world, caller, ids, body.approval_receipt_id), (answer) => ({
      status: 200,
      body: answer,
    }));
    const answer = await run(caller.workspaceId, onlyOnce(command, once));
    await removed(ids);
    return answer;
  },
});

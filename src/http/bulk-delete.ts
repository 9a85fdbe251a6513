import { bulkDeleted, bulkDeleteIn } from '../../contracts/approvals.js';
import { Refusal } from '../../contracts/errors.js';
import { setBackJobs } from '../../projections/ingest/jobs.js';
import { removeDocuments } from '../../projections/search/queries.js';
import { approvedToDelete, bulkDelete } from '../commands/bulk-delete.js';
import { answering, once as onlyOnce } from '../commands/once.js';
import type { Caller } from '../domain/caller.js';
import { endpoint, type Services } from './endpoint.js';

export const bulkDeleteEndpoint = endpoint({
  method: 'POST',
  path: '/v1/memories/bulk-delete',
  summary: 'Delete up to 1000 memories in one step, once somebody has approved that',
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
  async handle({ caller, body, once }, services) {
    const { run, world } = services;
    const ids = [...new Set(body.ids.map((id) => id.toLowerCase()))];
    if (body.approval_receipt_id !== undefined) await takeOutOfIndex(services, caller, ids, body.approval_receipt_id);
    const command = answering(bulkDelete(world, caller, ids, body.approval_receipt_id), (answer) => ({
      status: 200,
      body: answer,
    }));
    return run(caller.workspaceId, onlyOnce(command, once));
  },
});

/** Memories taken out of the index in one transaction, which on the embedded database everybody else waits for. */
const takenOutAtOnce = 20;
/** When the pipeline indexes them again in case they are not deleted: the service was killed, or somebody else was faster. */
const givenBackMs = 60_000;

/**
 * Takes what will be deleted out of the search index, a few at a time. Of 1,000 memories in one transaction that was
 * 90% of the time that others waited for. What is refused here is told by the delete itself.
 */
async function takeOutOfIndex(
  { run, transaction, world }: Services,
  caller: Caller,
  ids: readonly string[],
  approvalReceiptId: string,
): Promise<void> {
  const command = approvedToDelete(world, caller, ids, approvalReceiptId);
  const found = await run(caller.workspaceId, command).catch((error: unknown) => {
    if (error instanceof Refusal) return [];
    throw error;
  });
  for (let at = 0; at < found.length; at += takenOutAtOnce) {
    const some = found.slice(at, at + takenOutAtOnce);
    await transaction(async (tx) => {
      await setBackJobs(tx, some, world.now(), new Date(world.now().getTime() + givenBackMs));
      await removeDocuments(tx, some);
    });
  }
}

import type { z } from 'zod';
import { bulkDeleted, namedApproval } from '../../../contracts/approvals.js';
import { approvalMemories, selectedDeleted } from '../../../contracts/delete-selected.js';
import { Refusal } from '../../../contracts/errors.js';
import { approvalGetOperation } from '../../api/approvals/approvals.js';
import { approvalMemoriesOperation } from '../../api/approvals/memories.js';
import { bulkDeleteOperation } from '../../api/memories/bulk-delete.js';
import { deleteSelectedOperation } from '../../api/memories/delete-selected.js';
import { ask } from '../ask.js';
import type { PageParts, PersonRequest } from '../page.js';

/** Calls that one press of the button makes at most: each deletes up to 1,000 memories. The button stays until nothing is left. */
const mostCalls = 10;

/**
 * Sends an approved delete again, with what the approval keeps of it.
 * @throws Refusal as the API does
 */
export async function carryOut(id: string, request: PersonRequest, parts: PageParts): Promise<void> {
  const params = { approval_id: id };
  const { receipt_id } = await ask(namedApproval, approvalGetOperation, request, { params }, parts);
  if (receipt_id === null) throw new Refusal('approval_invalid', 'This request was not decided yet.');
  const kept = await ask(
    approvalMemories,
    approvalMemoriesOperation,
    request,
    { params, query: { limit: '1' } },
    parts,
  );
  const once = request.form.one('once');
  if (kept.filter === null) {
    const body = JSON.stringify({ ids: kept.ids ?? [], approval_receipt_id: receipt_id });
    const given = { body, idempotencyKey: once };
    await ask(bulkDeleted, bulkDeleteOperation, request, given, parts);
    return;
  }
  const body = JSON.stringify({ ...kept.filter, approval_receipt_id: receipt_id });
  for (let made = 0; made < mostCalls; made += 1) {
    const given = { body, idempotencyKey: `${once}-${made}` };
    const part: z.output<typeof selectedDeleted> = await ask(
      selectedDeleted,
      deleteSelectedOperation,
      request,
      given,
      parts,
    );
    if (part.left === 0) break;
  }
}

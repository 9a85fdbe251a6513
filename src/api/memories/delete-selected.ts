import { deleteSelectedIn, selectedDeleted } from '../../../contracts/delete-selected.js';
import { Refusal } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { type ApprovalTexts, approvalTexts } from '../../../projections/approvals/queries.js';
import { existingAmong } from '../../../projections/memory/selection.js';
import { askToDelete, deleteSelected, type Part, PartIsDone } from '../../commands/delete-selected.js';
import { answering, once as onlyOnce, type RequestKey } from '../../commands/once.js';
import { requestDigest } from '../../domain/approval.js';
import { type Caller, readableNamespaces } from '../../domain/caller.js';
import { exactCanonical } from '../../domain/exact-json.js';
import { readFilter, sentFilters } from '../../domain/filters.js';
import { idsAt } from '../../domain/id-list.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { ForReading, Services } from '../services.js';
import { erasureOf } from './erasure.js';
import { fieldsOf, listSelected } from './list-selected.js';

export const deleteSelectedOperation = operation({
  method: 'POST',
  path: '/v1/memories/delete',
  summary: 'Delete the memories that a filter selects, after an approval, 1000 in one call',
  access: 'memory.write',
  counted: 'write',
  body: deleteSelectedIn,
  answers: { 200: selectedDeleted },
  refusals: [
    'invalid_json',
    'invalid_request',
    'invalid_namespace_ids',
    'invalid_filters',
    'namespace_out_of_scope',
    'namespace_not_found',
    'nothing_selected',
    'too_many_selected',
    'approval_required',
    'approval_limit',
    'approval_invalid',
    'approval_unavailable',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'deleteSelected',
    body: 'DeleteSelectedIn',
    description:
      'The first call selects the memories, at most 100,000, is refused with approval_required and requests an approval. What is written after that is not deleted. ' +
      'GET /v1/approvals/{approval_id}/memories shows what would be deleted. After the approval, repeat the call with the same fields and the receipt of the ' +
      'decision until left is 0: each call deletes up to 1,000 memories. Filter and ids are stored until then, until the request is rejected, or until it expires.',
    erases: true,
    request: {
      filters: { source: 'chat-1', created_before: '2026-01-01T00:00:00Z' },
      approval_receipt_id: samples.receipt,
    },
    answers: {
      200: {
        description: 'The deleted memories, with the receipts of their deletion.',
        body: {
          deleted: [{ id: samples.memory, deleted: true, receipt_id: samples.otherReceipt }],
          not_found: [samples.otherMemory],
          left: 0,
        },
      },
    },
  },
  async handle({ caller, body, texts, once }, services) {
    const { approval_receipt_id: approvalReceiptId, ...fields } = body;
    const given = { ...fields, filters: sentFilters(texts) };
    const filter = readFilter(given.filters);
    const namespaceIds = readableNamespaces(
      caller,
      given.namespace_ids?.map((id) => id.toLowerCase()),
    );
    const named = fieldsOf(given, filter);
    if (named.length === 0)
      throw new Refusal('invalid_request', 'Name a filter: without one, all memories would be selected.');
    const text = filterText(given);
    if (Buffer.byteLength(text) > limits.selectionBytes)
      throw new Refusal('invalid_filters', 'The filter has more than 64 KiB.');
    const digest = requestDigest(caller, 'bulk_delete', ['filter', text]);
    if (approvalReceiptId !== undefined) return deletePart(services, caller, digest, approvalReceiptId, once);
    const { reading, writing } = services;
    const selection = { namespaceIds, filter, agentId: given.agent_id, status: given.status };
    const selected = await listSelected(reading.read, caller.workspaceId, selection);
    const asked = { ...selected, filter: text, fields: named };
    return writing.run(caller.workspaceId, askToDelete(writing.world, caller, digest, asked));
  },
});

type Given = Omit<InputOf<typeof deleteSelectedIn>, 'approval_receipt_id'>;

/** The same for the same fields, in any order and spelling. */
function filterText({ namespace_ids, ...rest }: Given): string {
  const ids = namespace_ids && [...new Set(namespace_ids.map((id) => id.toLowerCase()))].sort();
  const given = Object.entries({ ...rest, namespace_ids: ids }).filter(([, value]) => value !== undefined);
  return exactCanonical(Object.fromEntries(given));
}

/** Others may use the same approval at the same time: then the next part is read. */
const tries = 8;

async function deletePart(
  { reading, writing: { run, world }, memories }: Services,
  caller: Caller,
  digest: string,
  approvalReceiptId: string,
  once: RequestKey,
) {
  for (let tried = 0; tried < tries; tried += 1) {
    const part = await nextPart(reading, caller, approvalReceiptId);
    const command = deleteSelected(world, caller, digest, approvalReceiptId, part);
    const render = answering(command, (body) => ({ status: 200, body }));
    try {
      const answer = await run(caller.workspaceId, onlyOnce(render, once));
      return { ...answer, headers: await erasureOf(memories, part.ids) };
    } catch (error) {
      if (!(error instanceof PartIsDone)) throw error;
    }
  }
  throw new Refusal('receipt_unavailable', 'Other requests delete by this approval. Repeat the request.');
}

const noPart: Part = { done: 0, ids: [], end: 0 };

/**
 * The first part with a memory that the caller reaches, or the last one. A part without any would be refused as done, each time.
 * Without an approval that has its texts there is none, and the command says why.
 */
async function nextPart({ read, vault }: ForReading, caller: Caller, receipt: string): Promise<Part> {
  const { workspaceId, namespaceIds } = caller;
  const texts = await read((tx) => approvalTexts(tx, workspaceId, receipt));
  if (!texts) return noPart;
  const { content, count, done }: ApprovalTexts = await vault.requireGenuine(texts);
  for (let from = done; ; from += limits.bulkDeleteIds) {
    const end = Math.min(from + limits.bulkDeleteIds, count);
    const ids = idsAt(content, from, end);
    if (end >= count || (await read((tx) => existingAmong(tx, workspaceId, namespaceIds, ids))) > 0)
      return { done, ids, end };
  }
}

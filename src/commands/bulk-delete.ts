import type { ApprovalUse, Draft } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { MemoryDeleted } from '../../contracts/memory.js';
import { receiptId, type World } from '../base/world.js';
import { type ApprovalState, requestDigest } from '../domain/approval.js';
import { type Caller, reaches } from '../domain/caller.js';
import { bytesOfIds, idList } from '../domain/id-list.js';
import { hold, newRequest, type Request, requireApproved } from './approvals.js';
import type { Command } from './command.js';
import { deleteDraft } from './delete-memory.js';
import type { MemoryState } from './state/memories.js';
import type { WorkspaceState } from './state/state.js';

export interface BulkDeleted {
  readonly deleted: readonly MemoryDeleted[];
  readonly not_found: readonly string[];
}

/**
 * Deletes memories whose deletion was approved: all of them in one step, one memory.delete entry each.
 * Without an approval the request for one is filed instead, with the ids, newest first, for those who decide.
 * @param ids distinct, in lower case
 * @throws Refusal memory_out_of_scope for one of them, and then none is deleted; approval_invalid
 */
export function bulkDelete(
  world: World,
  caller: Caller,
  ids: readonly string[],
  approvalReceiptId: string | undefined,
): Command<BulkDeleted> {
  const request = newRequest(world);
  const receipts = new Map(ids.map((id) => [id, receiptId(world)]));
  const digest = requestDigest(caller, 'bulk_delete', [ids.toSorted()]);
  const listed = { count: ids.length, ids: idList([bytesOfIds(ids.toSorted().toReversed())]) };
  const { id: requester } = caller.actor;
  return {
    actor: caller.actor,
    reads: {
      memories: { ids, contentHashes: [], namespaces: [] },
      governance: {
        approvals: approvalReceiptId === undefined ? [] : [approvalReceiptId],
        requester: requester === null ? null : { id: requester, holds: 'surely' },
      },
    },
    decide(state, recordedAt) {
      const found = reachable(state, caller, ids);
      if (approvalReceiptId === undefined) {
        return hold(request, state.governance.approvals, asked(digest, listed, found), recordedAt);
      }
      const approval = requireApproved(approvalOf(state, approvalReceiptId), { digest }, caller.actor, recordedAt);
      const use = { approval_id: approval.id, requested_receipt_id: approval.requestedReceiptId };
      return deleteAll(found, receipts, use);
    },
  };
}

export function deleteAll(found: readonly MemoryState[], receipts: ReadonlyMap<string, string>, approval: ApprovalUse) {
  const there = new Set(found.map(({ id }) => id));
  const drafts: Draft[] = found.map((memory) => {
    const draft = deleteDraft(memory, receipts.get(memory.id) ?? '');
    return { ...draft, body: { ...draft.body, approval } };
  });
  return {
    drafts,
    deposits: [],
    answer: (): BulkDeleted => ({
      deleted: found.map(({ id }) => ({ id, deleted: true, receipt_id: receipts.get(id) ?? '' })),
      not_found: [...receipts.keys()].filter((id) => !there.has(id)),
    }),
  };
}

/** Those of `ids` that there are, in that order. */
function reachable(state: WorkspaceState, caller: Caller, ids: readonly string[]): MemoryState[] {
  const found = ids.flatMap((id) => state.memories.get(id) ?? []);
  if (found.some(({ namespaceId }) => !reaches(caller, namespaceId))) throw new Refusal('memory_out_of_scope');
  return found;
}

function asked(digest: string, selected: NonNullable<Request['selected']>, found: readonly MemoryState[]): Request {
  const { count } = selected;
  const namespaceIds = [...new Set(found.map(({ namespaceId }) => namespaceId))].toSorted();
  const summary = `Delete ${count} ${count === 1 ? 'memory' : 'memories'}, ${found.length} of which there are now.`;
  return { kind: 'bulk_delete', digest, summary, namespaceIds, selected };
}

/** The approval whose decision has this receipt. A request that waits still, or was rejected, has given none. */
export function approvalOf({ governance }: WorkspaceState, receipt: string): ApprovalState | undefined {
  return [...governance.approvals.values()].find(({ receiptId }) => receiptId === receipt);
}

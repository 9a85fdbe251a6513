import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { ApprovalTexts } from '../../projections/approvals/queries.js';
import { receiptId, type World } from '../base/world.js';
import type { Approvals } from '../domain/approval.js';
import { type Caller, reaches } from '../domain/caller.js';
import { depositOf } from '../ledger/deposits.js';
import { hold, newRequest, type Request, requireApproved } from './approvals.js';
import { approvalOf, type BulkDeleted, deleteAll } from './bulk-delete.js';
import type { Command } from './command.js';
import { entries } from './record.js';
import type { MemoryState } from './state/memories.js';

/** The memories that a filter selects at the moment of the request. */
interface Selection {
  readonly count: number;
  /** As canonical JSON. */
  readonly filter: string;
  /** See `idList`. */
  readonly ids: string;
  /** The namespaces of the memories. */
  readonly namespaceIds: readonly string[];
  /** The names of the fields of the filter. */
  readonly fields: readonly string[];
}

/**
 * Files the request for the approval of a delete by a filter. The ids are fixed here: what is written later is not deleted. The
 * same request again finds the one that is pending, with the ids that it was filed with.
 * @param digest of the filter, see `requestDigest`
 * @throws Refusal approval_required, approval_limit
 */
export function askToDelete(world: World, caller: Caller, digest: string, selection: Selection): Command<never> {
  const request = newRequest(world);
  const { id: requester } = caller.actor;
  const asked = requestOf(digest, selection);
  return {
    actor: caller.actor,
    reads: { governance: { requester: requester === null ? null : { id: requester, holds: 'surely' } } },
    decide({ governance: { approvals } }, recordedAt) {
      const held = hold(request, approvals, asked, recordedAt);
      requireRoom(approvals, recordedAt);
      return held;
    },
  };
}

function requestOf(digest: string, { count, filter, ids, namespaceIds, fields }: Selection): Request {
  const number = `${count.toLocaleString('en-US')} ${count === 1 ? 'memory' : 'memories'}`;
  const summary = `Delete ${number}, selected by ${fields.join(', ')}.`;
  return { kind: 'bulk_delete', digest, summary, namespaceIds, selected: { count, filter, ids } };
}

/** The approvals that were loaded are those of the requester. */
function requireRoom(approvals: Approvals, now: string): void {
  const waiting = [...approvals.values()].filter(
    ({ selected, status, expiresAt }) => selected?.byFilter && status === 'pending' && expiresAt > now,
  );
  if (waiting.length >= limits.pendingSelections) throw new Refusal('approval_limit');
}

/** The filter of an approval, as JSON text. */
export function filterOf(stored: ApprovalTexts): string {
  return depositOf(stored.receipt_id, stored).texts.filter ?? '{}';
}

/** A part of the ids of an approval. */
export interface Part {
  /** How many ids were dealt with when the part was read. */
  readonly done: number;
  readonly ids: readonly string[];
  /** How many ids are dealt with after it. */
  readonly end: number;
}

interface SelectedDeleted extends BulkDeleted {
  /** How many of the selected memories were not dealt with yet. */
  readonly left: number;
}

/** Another request has dealt with the part, or nothing is left of it: the next part has to be read. */
export class PartIsDone extends Error {
  override name = 'PartIsDone';
}

/**
 * Deletes a part of what was approved: one memory.delete entry each, which name the approval. Memories that do not exist any more,
 * or that were moved where the caller does not reach them, are not found. The last part uses the approval up.
 * @throws Refusal approval_required, approval_invalid; PartIsDone
 */
export function deleteSelected(
  world: World,
  caller: Caller,
  digest: string,
  approvalReceiptId: string,
  part: Part,
): Command<SelectedDeleted> {
  const receipts = new Map(part.ids.map((id) => [id, receiptId(world)]));
  const ended = receiptId(world);
  return {
    actor: caller.actor,
    reads: {
      memories: { ids: part.ids, contentHashes: [], namespaces: [] },
      governance: { approvals: [approvalReceiptId] },
    },
    decide(state, recordedAt) {
      const approval = requireApproved(approvalOf(state, approvalReceiptId), { digest }, caller.actor, recordedAt);
      const { id: approval_id, requestedReceiptId: requested_receipt_id, selected, namespaceIds } = approval;
      if (!selected) throw new Refusal('approval_invalid');
      if (selected.done !== part.done) throw new PartIsDone();
      const found = part.ids.flatMap((id) => within(caller, state.memories.get(id)));
      const left = selected.count - part.end;
      if (found.length === 0 && left > 0) throw new PartIsDone();
      const use = { approval_id, requested_receipt_id, ...(left > 0 && { done: part.end }) };
      const { drafts, answer } = deleteAll(found, receipts, use);
      const body = { approval_id, requested_receipt_id, reason: 'nothing_left', namespace_ids: namespaceIds } as const;
      const end = { kind: 'approval.ended', receipt_id: ended, body } as const;
      return entries(found.length === 0 ? [end] : drafts, { ...answer(), left });
    },
  };
}

function within(caller: Caller, memory: MemoryState | undefined): MemoryState[] {
  return memory && reaches(caller, memory.namespaceId) ? [memory] : [];
}

import type { ApprovalKind } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { World } from '../base/world.js';
import { type ApprovalState, type Approvals, decidersAmong, expiryOf } from '../domain/approval.js';
import type { Caller } from '../domain/caller.js';
import { commit } from '../ledger/chain.js';
import type { Command, Refused } from './command.js';
import { system } from './open-workspace.js';
import { type Decided, nothing, type Recording, recording } from './record.js';

/** A request that waits for an approval instead of being carried out. */
export interface Request {
  readonly kind: ApprovalKind;
  /** See requestDigest. */
  readonly digest: string;
  /** It contains nothing of the content, because it stays in the chain permanently. */
  readonly summary: string;
  readonly namespaceIds: readonly string[];
  /** Of a bulk delete: the list of its ids, and the filter that selected them if there is one. They are in the vault until the approval ends. */
  readonly selected?: { readonly count: number; readonly filter?: string; readonly ids: string };
}

/** The id and the entry of a request that may have to be filed. */
export type NewRequest = ReturnType<typeof newRequest>;

export function newRequest(world: World) {
  return { id: `apr_${world.id().replaceAll('-', '')}`, record: recording(world) };
}

/**
 * Files a request, or finds the one that is pending for the same. Its digest is committed to under a salt of its own,
 * which is destroyed when the request is used or rejected: after that no one can test guesses of what was requested.
 * @throws Refusal approval_required for one that is pending already
 */
export function hold(
  { id, record }: NewRequest,
  approvals: Approvals,
  { kind, digest, summary, namespaceIds, selected }: Request,
  recordedAt: string,
): Refused {
  const pending = pendingFor(approvals, digest, recordedAt);
  if (pending) throw approvalRequired(pending.id);
  const decided: Decided = {
    kind: 'approval.requested',
    body: {
      approval_id: id,
      approval_kind: kind,
      request_commitment: record.commit(digest),
      namespace_ids: namespaceIds,
      summary,
      expires_at: expiryOf(recordedAt),
      ...(selected && { selected: commitmentsOf(record, selected) }),
    },
  };
  const texts = selected
    ? { content: selected.ids, ...(selected.filter !== undefined && { filter: selected.filter }) }
    : {};
  return {
    ...record.effects(decided, texts),
    refusal: approvalRequired(id),
    unrecorded: 'approval_unavailable',
  };
}

function commitmentsOf({ commit }: Recording, { count, filter, ids }: NonNullable<Request['selected']>) {
  return { count, ...(filter !== undefined && { filter_commitment: commit(filter) }), ids_commitment: commit(ids) };
}

/**
 * @throws Refusal approval_required with its id while it is not decided; approval_invalid when there is no such approval, it is for
 * another request, was rejected, has expired or was used
 */
export function requireApproved(approval: ApprovalState | undefined, digest: string, now: string): ApprovalState {
  if (!approval) throw new Refusal('approval_invalid', 'There is no such approval.');
  const { status } = approval;
  if (status === 'used') throw new Refusal('approval_invalid', 'This approval was used.');
  if (status === 'rejected') throw new Refusal('approval_invalid', 'This request was rejected.');
  if (approval.expiresAt <= now) throw new Refusal('approval_invalid', 'This approval has expired.');
  if (!isFor(approval, digest)) throw new Refusal('approval_invalid', 'This approval is for another request.');
  if (status === 'pending') throw approvalRequired(approval.id);
  return approval;
}

/**
 * Decides a request, for a caller who is an owner or admin; see `decidersAmong`.
 * @throws Refusal approval_not_found, admin_required, approval_decided
 */
export function decideApproval(
  world: World,
  caller: Caller,
  id: string,
  decision: 'approved' | 'rejected',
): Command<{ receipt_id: string; decided_at: string }> {
  const record = recording(world);
  return {
    actor: caller.actor,
    reads: { governance: { approvals: [id] }, members: 'all' },
    decide({ governance, members }, recordedAt) {
      const approval = governance.approvals.get(id);
      if (!approval) throw new Refusal('approval_not_found');
      const self = caller.actor.id;
      const isOwn = approval.userId !== null && approval.userId === self;
      if (isOwn && !decidersAmong(members.values(), self).some(({ id: decider }) => decider === self)) {
        throw new Refusal('admin_required', 'This request is your own. Another owner or admin has to decide about it.');
      }
      if (approval.status !== 'pending' || approval.expiresAt <= recordedAt) throw new Refusal('approval_decided');
      const { requestedReceiptId: requested_receipt_id, namespaceIds: namespace_ids } = approval;
      const body = { approval_id: id, decision, requested_receipt_id, namespace_ids };
      return record.entry({ kind: 'approval', body }, { receipt_id: record.receipt, decided_at: recordedAt });
    },
  };
}

/** The pending request for the same: a caller who repeats a request does not file it twice. */
function pendingFor(approvals: Approvals, digest: string, now: string): ApprovalState | undefined {
  return [...approvals.values()].find((one) => one.status === 'pending' && one.expiresAt > now && isFor(one, digest));
}

function approvalRequired(id: string): Refusal {
  return new Refusal('approval_required', undefined, { approval_id: id });
}

function isFor({ salt, commitment }: ApprovalState, digest: string): boolean {
  return salt !== null && commit(salt, digest) === commitment;
}

/** Ends an approval of a bulk delete that has expired, which destroys its filter and its ids. Doing it again writes nothing. */
export function endApproval(world: World, id: string): Command<void> {
  const record = recording(world);
  return {
    actor: system,
    reads: { governance: { approvals: [id] } },
    decide({ governance }, recordedAt) {
      const approval = governance.approvals.get(id);
      const isOpen = approval?.status === 'pending' || approval?.status === 'approved';
      if (!approval?.selected || approval.ended || !isOpen || approval.expiresAt > recordedAt) {
        return nothing(undefined);
      }
      const { requestedReceiptId: requested_receipt_id, namespaceIds: namespace_ids } = approval;
      const body = { approval_id: id, requested_receipt_id, reason: 'expired', namespace_ids } as const;
      return record.entry({ kind: 'approval.ended', body }, undefined);
    },
  };
}

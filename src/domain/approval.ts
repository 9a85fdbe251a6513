import { createHash } from 'node:crypto';
import type { ApprovalKind, AskRule, Commitment, Entry, Role } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { limits } from '../../contracts/limits.js';
import { type Caller, isAdmin } from './caller.js';
import type { HeldParts } from './held-write.js';

/** A request that needs the approval of a person: pending, decided or carried out. */
export interface ApprovalState {
  readonly id: string;
  readonly kind: ApprovalKind;
  /** `expired` is not stored: it is `pending` or `approved` after `expiresAt`. */
  readonly status: 'pending' | 'approved' | 'rejected' | 'used';
  readonly requesterId: string | null;
  /** The person who made the request, or to whom the requesting key belongs. */
  readonly userId: string | null;
  readonly commitment: Commitment;
  /** Null once it is destroyed. Then the request cannot be recognized any more. */
  readonly salt: Uint8Array | null;
  readonly namespaceIds: readonly string[];
  readonly expiresAt: string;
  readonly requestedReceiptId: string;
  /** The receipt of the decision. */
  readonly receiptId: string | null;
  /** Of a bulk delete: how many memories were selected, by a filter or by their ids, and how many of these were dealt with. */
  readonly selected: { readonly count: number; readonly done: number; readonly byFilter: boolean } | null;
  /** Whether its texts were destroyed because it has expired. */
  readonly ended: boolean;
  /** Of a held write: its parts in commitments. */
  readonly held: HeldParts | null;
  /** The receipt under which the excerpt of a held write is in the vault; null once that is destroyed. */
  readonly excerptReceiptId: string | null;
}

/**
 * The members who may decide about a request: owners and admins. A person does not decide about a request of their own, except
 * the only owner, because then no other person could.
 * @param requesterId the person who has made the request, or to whom the key or grant that made it belongs
 */
export function decidersAmong<M extends { readonly id: string; readonly role: Role }>(
  members: Iterable<M>,
  requesterId: string | null,
): M[] {
  const all = [...members];
  const owners = all.filter(({ role }) => role === 'owner');
  const isOnlyOwner = owners.length === 1 && owners[0]?.id === requesterId;
  return all.filter((one) => isAdmin(one) && (one.id !== requesterId || isOnlyOwner));
}

export type Approvals = ReadonlyMap<string, ApprovalState>;

/** A hash of the request. Two requests have the same hash exactly when they are the same. */
export function requestDigest(caller: Caller, kind: ApprovalKind, what: readonly unknown[]): string {
  const { type, id, agent_id } = caller.actor;
  return createHash('sha256')
    .update(JSON.stringify([kind, type, id, agent_id, ...what]), 'utf8')
    .digest('hex');
}

/** The fields of a write that approval rules compare. */
interface WriteFields {
  readonly namespace_id: string;
  readonly agent_id: string | null;
  readonly app_id: string | null;
  /** Of a grant: rules of earlier versions name it as the application. */
  readonly client_id?: string | undefined;
  readonly source: string | null;
  readonly bytes: number;
}

/** The number, from 1, of the first rule that applies to the write; 0 when none does. */
export function matchingRule(rules: readonly AskRule[], write: WriteFields): number {
  return (
    1 +
    rules.findIndex(
      ({ namespace_id, agent_id, app_id, source, min_bytes = 0 }) =>
        (namespace_id === undefined || namespace_id === write.namespace_id) &&
        (agent_id === undefined || agent_id === write.agent_id) &&
        (app_id === undefined || app_id === write.app_id || app_id === write.client_id) &&
        (source === undefined || source === write.source) &&
        write.bytes >= min_bytes,
    )
  );
}

export function expiryOf(requestedAt: string): string {
  return new Date(Date.parse(requestedAt) + limits.approvalMs).toISOString();
}

export type ApprovalEntry = Extract<
  Entry,
  { kind: 'approval.requested' | 'approval' | 'approval.ended' | 'memory.write' | 'memory.promoted' | 'memory.delete' }
>;

export function approvalsAfter(before: Approvals, entry: ApprovalEntry, deposit: Deposit | null): Approvals {
  if (entry.kind === 'approval.requested') {
    const requested = requestedBy(entry, deposit);
    return new Map(before).set(requested.id, requested);
  }
  const { body } = entry;
  const id = 'approval_id' in body ? body.approval_id : body.approval?.approval_id;
  const approval = id === undefined ? undefined : before.get(id);
  if (!approval) return before;
  return new Map(before).set(approval.id, { ...approval, ...changeBy(entry, approval) });
}

type RequestEntry = Extract<ApprovalEntry, { kind: 'approval.requested' }>;

function requestedBy({ body, actor, receipt_id }: RequestEntry, deposit: Deposit | null): ApprovalState {
  const { selected, held } = body;
  return {
    id: body.approval_id,
    kind: body.approval_kind,
    status: 'pending',
    requesterId: actor.id,
    userId: actor.user_id,
    commitment: body.request_commitment,
    salt: deposit?.salt ?? null,
    namespaceIds: body.namespace_ids,
    expiresAt: body.expires_at,
    requestedReceiptId: receipt_id,
    receiptId: null,
    selected: selected ? { count: selected.count, done: 0, byFilter: selected.filter_commitment !== undefined } : null,
    ended: false,
    held: held
      ? {
          bytes: held.bytes,
          excerpt: held.excerpt_commitment,
          source: held.source_commitment,
          metadataKeys: held.metadata_keys_commitment,
        }
      : null,
    excerptReceiptId: held?.excerpt_receipt_id ?? null,
  };
}

function changeBy(entry: Exclude<ApprovalEntry, RequestEntry>, { selected }: ApprovalState): Partial<ApprovalState> {
  if (entry.kind === 'approval') {
    return { status: entry.body.decision, receiptId: entry.receipt_id, excerptReceiptId: null };
  }
  if (entry.kind === 'approval.ended') {
    return entry.body.reason === 'expired' ? { ended: true, excerptReceiptId: null } : { status: 'used' };
  }
  const done = entry.body.approval?.done;
  return done === undefined ? { status: 'used' } : { selected: selected && { ...selected, done } };
}

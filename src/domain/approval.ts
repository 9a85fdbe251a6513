import { createHash } from 'node:crypto';
import type { ApprovalKind, AskRule, Commitment, Entry } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { limits } from '../../contracts/limits.js';
import type { Caller } from './caller.js';

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
export interface WriteFields {
  readonly namespace_id: string;
  readonly agent_id: string | null;
  readonly app_id: string | null;
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
        (app_id === undefined || app_id === write.app_id) &&
        (source === undefined || source === write.source) &&
        write.bytes >= min_bytes,
    )
  );
}

export function expiryOf(requestedAt: string): string {
  return new Date(Date.parse(requestedAt) + limits.approvalMs).toISOString();
}

type ApprovalEntry = Extract<
  Entry,
  { kind: 'approval.requested' | 'approval' | 'memory.write' | 'memory.promoted' | 'memory.delete' }
>;

export function approvalsAfter(before: Approvals, entry: ApprovalEntry, deposit: Deposit | null): Approvals {
  if (entry.kind === 'approval.requested') {
    const { approval_id: id, approval_kind: kind, request_commitment, namespace_ids, expires_at } = entry.body;
    return new Map(before).set(id, {
      id,
      kind,
      status: 'pending',
      requesterId: entry.actor.id,
      userId: entry.actor.user_id,
      commitment: request_commitment,
      salt: deposit?.salt ?? null,
      namespaceIds: namespace_ids,
      expiresAt: expires_at,
      requestedReceiptId: entry.receipt_id,
      receiptId: null,
    });
  }
  const id = entry.kind === 'approval' ? entry.body.approval_id : entry.body.approval?.approval_id;
  const approval = id === undefined ? undefined : before.get(id);
  if (!approval) return before;
  const change =
    entry.kind === 'approval'
      ? ({ status: entry.body.decision, receiptId: entry.receipt_id } as const)
      : ({ status: 'used' } as const);
  return new Map(before).set(approval.id, { ...approval, ...change });
}

import type { ApprovalKind } from '../../contracts/entries/entry.js';
import type { Row, Transaction } from '../../src/adapters/database/database.js';
import type { ApprovalState } from '../../src/domain/approval.js';
import { vaultRows } from '../../src/ledger/rows.js';

export interface ApprovalView extends Row {
  id: string;
  kind: ApprovalKind;
  status: 'pending' | 'approved' | 'rejected' | 'used';
  summary: string;
  requester_type: string;
  requester_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
  created_at: string;
  expires_at: string;
  decided_by: string | null;
  decided_at: string | null;
  receipt_id: string | null;
}

const shown = `id, kind, status, summary, requester_type, requester_id, user_id, agent_id, app_id, created_at, expires_at,
  decided_by::text, decided_at, receipt_id`;

export interface ApprovalFilter {
  /** Only requests of this key, or of this person and the person's grants; null for all requests. */
  readonly requesterId: string | null;
  /** The status at the time `now`, so it may be `expired`. */
  readonly status: string | undefined;
  readonly now: Date;
}

const statusNow = `case when status in ('pending', 'approved') and expires_at <= $3::timestamptz then 'expired' else status end`;

/** The approvals of a workspace, newest first: those before `before`. */
export function approvalsOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  { requesterId, status, now }: ApprovalFilter,
  before: string | null,
  limit: number,
): Promise<ApprovalView[]> {
  return tx.query<ApprovalView>(
    `select ${shown} from approvals
      where workspace_id = $1 and ($4::text is null or ${statusNow} = $4)
        and ($2::text is null or requester_id = $2 or (requester_type = 'grant' and user_id = $2))
        and ($5::text is null or id < $5) order by id desc limit $6`,
    [workspaceId, requesterId, now.toISOString(), status ?? null, before, limit],
  );
}

export async function approvalById(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<ApprovalView | undefined> {
  const [row] = await tx.query<ApprovalView>(`select ${shown} from approvals where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return row;
}

interface StateRow extends Row {
  id: string;
  kind: ApprovalKind;
  status: ApprovalState['status'];
  requester_id: string | null;
  user_id: string | null;
  commitment: string;
  salt: Uint8Array | null;
  namespace_ids: string[];
  expires_at: string;
  requested_receipt_id: string;
  receipt_id: string | null;
}

/** The facts that commands need: the approvals with these ids or decisions, and the newest that wait for these requesters. */
export async function approvalStates(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
  requesters: readonly string[],
  most: number,
): Promise<ApprovalState[]> {
  const rows = await tx.query<StateRow>(
    `select a.id, a.kind, a.status, a.requester_id, a.user_id, a.commitment, v.salt, a.namespace_ids::text[], a.expires_at,
            a.requested_receipt_id, a.receipt_id
       from (select * from approvals where workspace_id = $1 and (id = any($2::text[]) or receipt_id = any($2::text[]))
             union
             select one.* from unnest($3::text[]) as r(id) cross join lateral (
               select * from approvals where workspace_id = $1 and requester_id = r.id and status = 'pending'
                order by id desc limit $4) one) a
       left join ${vaultRows} v on v.receipt_id = a.requested_receipt_id`,
    [workspaceId, ids, requesters, most],
  );
  return rows.map(({ requester_id, user_id, namespace_ids, expires_at, requested_receipt_id, receipt_id, ...row }) => ({
    ...row,
    requesterId: requester_id,
    userId: user_id,
    namespaceIds: namespace_ids,
    expiresAt: expires_at,
    requestedReceiptId: requested_receipt_id,
    receiptId: receipt_id,
  }));
}

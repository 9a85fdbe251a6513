import type { ApprovalKind } from '../../contracts/entries/entry.js';
import type { Row, Transaction } from '../../src/database/database.js';
import type { ApprovalState } from '../../src/domain/approval.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';

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
  /** Of a bulk delete: how many memories were selected, by a filter or by their ids; and of these, how many were dealt with. */
  selected: number | null;
  done: number;
  ended: boolean;
}

const shown = `id, kind, status, summary, requester_type, requester_id, user_id, agent_id, app_id, created_at, expires_at,
  decided_by::text, decided_at, receipt_id, selected, done, ended`;

interface ApprovalFilter {
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
  selected: number | null;
  by_filter: boolean;
  done: number;
  ended: boolean;
  excerpt_receipt_id: string | null;
  held_bytes: number | null;
  held_excerpt: string | null;
  held_source: string | null;
  held_metadata_keys: string | null;
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
            a.requested_receipt_id, a.receipt_id, a.selected, a.by_filter, a.done, a.ended,
            a.excerpt_receipt_id, a.held_bytes, a.held_excerpt, a.held_source, a.held_metadata_keys
       from (select * from approvals where workspace_id = $1 and (id = any($2::text[]) or receipt_id = any($2::text[]))
             union
             select one.* from unnest($3::text[]) as r(id) cross join lateral (
               select * from approvals where workspace_id = $1 and requester_id = r.id and status = 'pending'
                order by id desc limit $4) one) a
       left join ${vaultRows} v on v.receipt_id = a.requested_receipt_id`,
    [workspaceId, ids, requesters, most],
  );
  return rows.map(stateOf);
}

function stateOf({ selected, by_filter: byFilter, done, ...row }: StateRow): ApprovalState {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    requesterId: row.requester_id,
    userId: row.user_id,
    commitment: row.commitment,
    salt: row.salt,
    namespaceIds: row.namespace_ids,
    expiresAt: row.expires_at,
    requestedReceiptId: row.requested_receipt_id,
    receiptId: row.receipt_id,
    selected: selected === null ? null : { count: selected, done, byFilter },
    ended: row.ended,
    held: heldIn(row),
    excerptReceiptId: row.excerpt_receipt_id,
  };
}

type HeldRow = Pick<StateRow, 'held_bytes' | 'held_excerpt' | 'held_source' | 'held_metadata_keys'>;

function heldIn({ held_bytes: bytes, held_excerpt: excerpt, held_source, held_metadata_keys }: HeldRow) {
  if (bytes === null || excerpt === null || held_metadata_keys === null) return null;
  return { bytes, excerpt, source: held_source, metadataKeys: held_metadata_keys };
}

/** The excerpts of writes that wait for a decision. They must be compared with their commitments before they are shown. */
export function excerptsOf(tx: Transaction, workspaceId: string, ids: readonly string[]) {
  return tx.query<TextsRow>(
    `select a.id, e.receipt_id, encode(e.hash, 'hex') as receipt_hash, e.bytes as entry,
            v.salt, v.content, v.metadata, v.source, v.label, v.others
       from approvals a
       join ${entryRows} e on e.receipt_id = a.excerpt_receipt_id join ${vaultRows} v on v.receipt_id = e.receipt_id
      where a.workspace_id = $1 and a.id = any($2::text[])`,
    [workspaceId, ids],
  );
}

/** The ids of an approval that has not ended, and the filter of one that has a filter. They must be compared with their commitments before they are used. */
export interface ApprovalTexts extends TextsRow {
  count: number;
  by_filter: boolean;
  done: number;
  /** The filter, in a JSON object. */
  others: string | null;
}

/** The texts of an approval, with the entry that has their commitments. `content` is the ids of a bulk delete, or the excerpt of a write as JSON. */
interface TextsRow extends Row {
  /** Of the approval. */
  id: string;
  receipt_id: string;
  receipt_hash: string;
  entry: Uint8Array;
  salt: Uint8Array;
  content: string;
  metadata: null;
  source: null;
  label: null;
  others: string | null;
}

/** @param id of the approval, or the receipt of its decision */
export async function approvalTexts(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<ApprovalTexts | undefined> {
  const [row] = await tx.query<ApprovalTexts>(
    `select a.id, a.selected as count, a.by_filter, a.done, e.receipt_id, encode(e.hash, 'hex') as receipt_hash, e.bytes as entry,
            v.salt, v.content, v.metadata, v.source, v.label, v.others
       from (select * from approvals where id = $2 union select * from approvals where receipt_id = $2) a
       join ${entryRows} e on e.receipt_id = a.requested_receipt_id join ${vaultRows} v on v.receipt_id = e.receipt_id
      where a.workspace_id = $1 and a.selected is not null`,
    [workspaceId, id],
  );
  return row;
}

/** Approvals that have expired and have their texts still, of all workspaces. */
export function expiredWithTexts(tx: Transaction, now: Date, limit: number) {
  return tx.query<{ id: string; workspace_id: string }>(
    `select id, workspace_id::text from approvals
      where (selected is not null or excerpt_receipt_id is not null) and not ended and status in ('pending', 'approved')
        and expires_at <= $1
      order by expires_at limit $2`,
    [now.toISOString(), limit],
  );
}

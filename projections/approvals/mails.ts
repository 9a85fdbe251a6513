import type { Row, Transaction } from '../../src/database/database.js';

/** `waiting` is sent once an approval waits, `ending` a day before it expires. */
export type Notice = 'waiting' | 'ending';

export interface Unannounced extends Row {
  id: string;
  workspace_id: string;
  /** The person who asked, or to whom the key or grant that asked belongs. */
  user_id: string | null;
  expires_at: string;
  /** Whether its deciders have not been written to at all. */
  is_new: boolean;
  /** Whether it expires soon. */
  is_ending: boolean;
}

/** The approvals that wait and are still to be announced, or that expire before `soon` and whose end is still to be announced. */
export function unannounced(tx: Transaction, now: Date, soon: Date, limit: number): Promise<Unannounced[]> {
  const lacks = (notice: Notice) =>
    `not exists (select from approval_notices n where n.approval_id = a.id and n.notice = '${notice}')`;
  return tx.query<Unannounced>(
    `select a.id, a.workspace_id::text, a.user_id, a.expires_at, ${lacks('waiting')} as is_new, a.expires_at <= $2 as is_ending
       from approvals a
      where a.status = 'pending' and a.expires_at > $1
        and (${lacks('waiting')} or (a.expires_at <= $2 and ${lacks('ending')}))
      order by a.expires_at limit $3`,
    [now.toISOString(), soon.toISOString(), limit],
  );
}

interface Announced {
  readonly approvalId: string;
  readonly expiresAt: string;
  readonly notices: readonly Notice[];
}

/**
 * Records that these notices are given. Another process may do the same at this moment: its transaction is waited for.
 * @returns the notices that no other process has recorded
 */
export async function recordNotices(tx: Transaction, { approvalId, expiresAt, notices }: Announced): Promise<Notice[]> {
  const rows = await tx.query<{ notice: Notice }>(
    `insert into approval_notices (approval_id, notice, expires_at) select $1, notice, $3 from unnest($2::text[]) n(notice)
      on conflict do nothing returning notice`,
    [approvalId, notices, expiresAt],
  );
  return rows.map(({ notice }) => notice);
}

interface NewMail {
  readonly id: string;
  readonly memberId: string;
}

export async function recordMails(
  tx: Transaction,
  {
    approvalId,
    workspaceId,
    notice,
  }: { readonly approvalId: string; readonly workspaceId: string; readonly notice: Notice },
  mails: readonly NewMail[],
  now: Date,
): Promise<void> {
  if (mails.length === 0) return;
  await tx.query(
    `insert into approval_mails (id, approval_id, workspace_id, notice, member_id, run_after)
     select id, $3, $4, $5, member_id, $6 from unnest($1::uuid[], $2::uuid[]) m(id, member_id)`,
    [
      mails.map(({ id }) => id),
      mails.map(({ memberId }) => memberId),
      approvalId,
      workspaceId,
      notice,
      now.toISOString(),
    ],
  );
}

export interface ClaimedApprovalMail extends Row {
  id: string;
  approval_id: string;
  notice: Notice;
  workspace_id: string;
  member_id: string;
  attempts: number;
}

/** Leases up to `limit` e-mails that are due. A lease that has run out by the database's clock is taken over. */
export async function claimApprovalMails(
  tx: Transaction,
  owner: string,
  now: Date,
  bounds: { readonly leaseMs: number; readonly limit: number },
): Promise<ClaimedApprovalMail[]> {
  const due = `mail = 'pending' and run_after <= $1 and (lease_until is null or lease_until < now())`;
  const [any] = await tx.query(`select 1 from approval_mails where ${due} limit 1`, [now.toISOString()]);
  if (!any) return [];
  return tx.query<ClaimedApprovalMail>(
    `with picked as (select id from approval_mails where ${due} order by run_after limit $4 for update skip locked)
     update approval_mails m set lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond' from picked
      where m.id = picked.id returning m.id::text, m.approval_id, m.notice, m.workspace_id::text, m.member_id::text, m.attempts`,
    [now.toISOString(), owner, bounds.leaseMs, bounds.limit],
  );
}

/** Stores how an attempt ended, if `owner` still has the lease. */
export async function endApprovalMail(
  tx: Transaction,
  owner: string,
  { id, mail, retryAt }: { readonly id: string; readonly mail: string; readonly retryAt: Date | null },
): Promise<void> {
  await tx.query(
    `update approval_mails set mail = $3, attempts = attempts + 1, run_after = coalesce($4::timestamptz, run_after),
        lease_owner = null, lease_until = null
      where id = $2::uuid and lease_owner = $1`,
    [owner, id, mail, retryAt?.toISOString() ?? null],
  );
}

/** Gives back what was claimed and not tried. */
export async function releaseApprovalMails(tx: Transaction, owner: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    'update approval_mails set lease_owner = null, lease_until = null where id = any($2::uuid[]) and lease_owner = $1',
    [owner, ids],
  );
}

/** Deletes notices and e-mails of approvals that expired before `until`. */
export async function forgetNotices(tx: Transaction, until: Date, limit: number): Promise<void> {
  const old = 'select approval_id from approval_notices where expires_at < $1 order by expires_at limit $2';
  const bounds = [until.toISOString(), limit];
  await tx.query(`delete from approval_mails where approval_id in (${old})`, bounds);
  await tx.query(`delete from approval_notices where approval_id in (${old})`, bounds);
}

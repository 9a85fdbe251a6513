import type { Alert } from '../../contracts/terminal.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { addressRows } from '../account/rows.js';

/** One transition of an alert. */
interface NewFiring {
  readonly id: string;
  readonly personId: string;
  readonly alert: Alert;
}

/** Records firings. @param mail whether each will be sent by e-mail */
export async function recordFirings(
  tx: Transaction,
  firings: readonly NewFiring[],
  now: Date,
  mail: boolean,
): Promise<void> {
  if (firings.length === 0) return;
  await tx.query(
    `insert into firings (id, alert_id, person_id, record, fired_at, mail, run_after)
     select id, alert_id, person_id, record, $5::timestamptz, $6, $5::timestamptz
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) f(id, alert_id, person_id, record)`,
    [
      firings.map(({ id }) => id),
      firings.map(({ alert }) => alert.id),
      firings.map(({ personId }) => personId),
      firings.map(({ alert }) => JSON.stringify(alert)),
      now.toISOString(),
      mail ? 'pending' : 'none',
    ],
  );
}

export interface Fired extends Row {
  /** Increases in the order in which firings were recorded. */
  position: number;
  person_id: string;
  /** The alert as it was then, as JSON text. */
  record: string;
}

/** The position of the newest firing; 0 without any. */
export async function newestPosition(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ position: number }>(
    'select coalesce(max(position), 0)::float8 as position from firings',
  );
  return row?.position ?? 0;
}

/** The firings of these people behind a position, the oldest first. */
export function firedAfter(
  tx: Transaction,
  position: number,
  people: readonly string[],
  limit: number,
): Promise<Fired[]> {
  return tx.query<Fired>(
    `select position::float8 as position, person_id::text, record from firings
      where position > $1 and person_id = any($2::uuid[]) order by position limit $3`,
    [position, people, limit],
  );
}

/** The firings of a person since a time, the oldest first: the newest `limit` of them. */
export async function firedSince(tx: Transaction, personId: string, since: Date, limit: number): Promise<Fired[]> {
  const rows = await tx.query<Fired>(
    `select position::float8 as position, person_id::text, record from firings
      where person_id = $1 and fired_at >= $2 order by position desc limit $3`,
    [personId, since.toISOString(), limit],
  );
  return rows.reverse();
}

export interface ClaimedMail extends Row {
  id: string;
  attempts: number;
  record: string;
  fired_at: string;
  /** The present address of the person; null when there is no such person any more. */
  email: string | null;
}

/** Leases up to `limit` firings that are due for an e-mail. A lease that has run out by the database's clock is taken over. */
export async function claimMails(
  tx: Transaction,
  owner: string,
  now: Date,
  bounds: { readonly leaseMs: number; readonly limit: number },
): Promise<ClaimedMail[]> {
  const due = `mail = 'pending' and run_after <= $1 and (lease_until is null or lease_until < now())`;
  const [any] = await tx.query(`select 1 from firings where ${due} limit 1`, [now.toISOString()]);
  if (!any) return [];
  return tx.query<ClaimedMail>(
    `with picked as (select id from firings where ${due} order by run_after limit $4 for update skip locked),
     claimed as (
       update firings f set lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond' from picked
        where f.id = picked.id returning f.id, f.position, f.person_id, f.attempts, f.record, f.fired_at)
     select c.id::text, c.attempts, c.record, c.fired_at,
            (select a.email from ${addressRows} a where a.person_id = c.person_id order by a.id limit 1) as email
       from claimed c order by c.position`,
    [now.toISOString(), owner, bounds.leaseMs, bounds.limit],
  );
}

/** How an attempt to send an e-mail ended. */
export interface MailEnded {
  readonly id: string;
  readonly mail: 'sent' | 'pending' | 'failed';
  readonly error: string | null;
  /** The time of the next attempt, where it is pending again. */
  readonly retryAt: Date | null;
}

/** Stores how an attempt ended, if `owner` still has the lease. */
export async function endMail(tx: Transaction, owner: string, { id, mail, error, retryAt }: MailEnded): Promise<void> {
  await tx.query(
    `update firings set mail = $3, attempts = attempts + 1, last_error = $4, run_after = coalesce($5::timestamptz, run_after),
        lease_owner = null, lease_until = null
      where id = $2::uuid and lease_owner = $1`,
    [owner, id, mail, error, retryAt?.toISOString() ?? null],
  );
}

/** Gives back what was claimed and not tried. */
export async function releaseMails(tx: Transaction, owner: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    'update firings set lease_owner = null, lease_until = null where id = any($2::uuid[]) and lease_owner = $1',
    [owner, ids],
  );
}

/** Deletes firings from before `until`, sent or not. */
export async function forgetFirings(tx: Transaction, until: Date, limit: number): Promise<void> {
  await tx.query(
    'delete from firings where id in (select id from firings where fired_at < $1 order by fired_at limit $2)',
    [until.toISOString(), limit],
  );
}

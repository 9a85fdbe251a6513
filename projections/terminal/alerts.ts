import type { Alert, AlertMetric, AlertScope, AlertState } from '../../contracts/terminal.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { lockAccount } from './rows.js';

/** The condition that an alert waits for. */
export interface Condition {
  readonly scope: AlertScope;
  readonly target: string;
  readonly metric: AlertMetric;
  readonly op: '>' | '<';
  readonly value: number;
}

type AlertRow = Alert & Row;

const columns = `id::text, scope, target, metric, op, value, state, last_value, last_checked_at, last_fired_at, created_at`;

/** The alerts of a person, the oldest first. */
export function alertsOf(tx: Transaction, personId: string): Promise<AlertRow[]> {
  return tx.query<AlertRow>(`select ${columns} from alerts where person_id = $1 order by id`, [personId]);
}

interface NewAlert extends Condition {
  readonly id: string;
  readonly personId: string;
  readonly now: Date;
}

/** @returns undefined when the person has `most` alerts already */
export async function createAlert(
  tx: Transaction,
  { id, personId, scope, target, metric, op, value, now }: NewAlert,
  most: number,
): Promise<AlertRow | undefined> {
  await lockAccount(tx, personId);
  const [row] = await tx.query<AlertRow>(
    `insert into alerts (id, person_id, scope, target, metric, op, value, state, is_new, created_at)
     select $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::float8, 'waiting', true, $8::timestamptz
      where (select count(*) from alerts where person_id = $2::uuid) < $9
     returning ${columns}`,
    [id, personId, scope, target, metric, op, value, now.toISOString(), most],
  );
  return row;
}

/**
 * Gives an alert another condition, with which it begins again: the next check is the first one. The condition that it has
 * already changes nothing, so that a repeated request does not make it fire again.
 * @returns undefined when the person has no such alert
 */
export async function changeAlert(
  tx: Transaction,
  personId: string,
  id: string,
  { scope, target, metric, op, value }: Condition,
): Promise<AlertRow | undefined> {
  const own = 'id = $1::uuid and person_id = $2::uuid';
  const condition = [scope, target, metric, op, value];
  const [changed] = await tx.query<AlertRow>(
    `update alerts set scope = $3, target = $4, metric = $5, op = $6, value = $7, revision = revision + 1,
        state = 'waiting', is_new = true, is_true = false, last_value = null, checked_t = null, last_checked_at = null
      where ${own} and (scope, target, metric, op, value) is distinct from ($3::text, $4::text, $5::text, $6::text, $7::float8)
     returning ${columns}`,
    [id, personId, ...condition],
  );
  if (changed) return changed;
  const [same] = await tx.query<AlertRow>(`select ${columns} from alerts where ${own}`, [id, personId]);
  return same;
}

/** @returns whether the person had it */
export async function deleteAlert(tx: Transaction, personId: string, id: string): Promise<boolean> {
  const deleted = await tx.query('delete from alerts where id = $1::uuid and person_id = $2 returning 1', [
    id,
    personId,
  ]);
  return deleted.length > 0;
}

/** An alert whose condition must be checked. */
export interface Unchecked extends Row, Condition {
  id: string;
  person_id: string;
  revision: number;
  /** Whether the condition was true when the figure was last there. */
  is_true: boolean;
  scope: AlertScope;
  target: string;
  metric: AlertMetric;
  op: '>' | '<';
  value: number;
}

const unchecked = 'id::text, person_id::text, revision, is_true, scope, target, metric, op, value';

/** Alerts that were not checked at the moment `t` or later, those behind `after` in the order of ids. */
export function uncheckedAt(tx: Transaction, t: Date, after: string | null, limit: number): Promise<Unchecked[]> {
  return tx.query<Unchecked>(
    `select ${unchecked} from alerts where ($2::uuid is null or id > $2::uuid) and (checked_t is null or checked_t < $1)
      order by id limit $3`,
    [t.toISOString(), after, limit],
  );
}

/** Alerts whose present condition was never checked. */
export function newAlerts(tx: Transaction, limit: number): Promise<Unchecked[]> {
  return tx.query<Unchecked>(`select ${unchecked} from alerts where is_new order by id limit $1`, [limit]);
}

/** The outcome of the check of one alert. */
export interface Check {
  readonly id: string;
  /** Of the condition that was checked: an alert that was changed meanwhile is left alone. */
  readonly revision: number;
  readonly state: AlertState;
  readonly isTrue: boolean;
  readonly lastValue: number | null;
  readonly fires: boolean;
}

/** @returns the alerts that have fired, as they are now */
export async function recordChecks(
  tx: Transaction,
  checks: readonly Check[],
  t: Date,
  now: Date,
): Promise<(AlertRow & { person_id: string })[]> {
  const rows = await tx.query<AlertRow & { person_id: string; fires: boolean }>(
    `update alerts a set state = c.state, is_true = c.is_true, last_value = c.last_value, is_new = false, checked_t = $7, last_checked_at = $8,
        last_fired_at = case when c.fires then $8 else a.last_fired_at end
       from unnest($1::uuid[], $2::int[], $3::text[], $4::bool[], $5::float8[], $6::bool[]) c(check_id, revision, state, is_true, last_value, fires)
      where a.id = c.check_id and a.revision = c.revision and (a.checked_t is null or a.checked_t < $7)
     returning a.id::text, a.person_id::text, a.scope, a.target, a.metric, a.op, a.value, a.state, a.last_value,
               a.last_checked_at, a.last_fired_at, a.created_at, c.fires`,
    [
      checks.map(({ id }) => id),
      checks.map(({ revision }) => revision),
      checks.map(({ state }) => state),
      checks.map(({ isTrue }) => isTrue),
      checks.map(({ lastValue }) => lastValue),
      checks.map(({ fires }) => fires),
      t.toISOString(),
      now.toISOString(),
    ],
  );
  return rows.flatMap(({ fires, ...row }) => (fires ? [row] : []));
}

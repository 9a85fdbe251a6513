import { newestTurn } from '../../projections/log/queries.js';
import { turnRows } from '../../projections/log/rows.js';
import type { Transaction } from '../database/database.js';

/** An heir that has not been seen for this number of seconds is not running. Only the clock of the database is compared. */
const goneAfter = 15;

/** The news for a process that may sign, or waits for it. */
export interface Notices {
  /** SHA-256 of the newest turn; null in a log without turns. */
  readonly newest: string | null;
  /** Signatures that others wait for. */
  readonly requests: readonly string[];
}

/** With other reads of the same moment it is one statement. */
export async function notices(tx: Transaction): Promise<Notices> {
  const [newest, rows] = await Promise.all([
    newestTurn(tx),
    tx.select<{ id: string }>('select id::text from signing_requests order by asked_at limit 1000', []),
  ]);
  return { newest: newest?.turn ?? null, requests: rows.map(({ id }) => id) };
}

/** Says that the directory which knows the preimage of `turn` is running, and ready to be given the turn of the log. */
export async function showHeir(tx: Transaction, turn: string): Promise<void> {
  await tx.query(
    'insert into signing_heirs values ($1, now()) on conflict (turn) do update set seen_at = excluded.seen_at',
    [turn],
  );
  await tx.query(`delete from signing_heirs where seen_at < now() - interval '1 day'`);
}

export async function withdrawHeir(tx: Transaction, turn: string): Promise<void> {
  await tx.query('delete from signing_heirs where turn = $1', [turn]);
}

/** The heir that was seen last, unless that is too long ago, or it was given the turn already: it has another nonce then. */
export async function runningHeir(tx: Transaction): Promise<string | null> {
  const [row] = await tx.query<{ turn: string }>(
    `select h.turn from signing_heirs h where h.seen_at > now() - $1 * interval '1 second'
        and not exists (select 1 from ${turnRows} t where t.turn = h.turn) order by h.seen_at desc limit 1`,
    [goneAfter],
  );
  return row?.turn ?? null;
}

/** @param id a UUID of the request */
export async function askForSignature(tx: Transaction, id: string): Promise<void> {
  await tx.query('insert into signing_requests values ($1, now())', [id]);
}

export async function isAnswered(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query('select 1 from signing_requests where id = $1', [id])).length === 0;
}

/** Removes requests: they were answered, or their process does not wait any more. */
export async function removeRequests(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query('delete from signing_requests where id = any($1::uuid[])', [ids]);
}

import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../database/database.js';

export type StateDatabase = Pick<Database, 'read' | 'transaction'>;

/** A row of the state of the authorization server. */
export interface StateRow {
  readonly payload: string;
  readonly grantId: string | null;
  /** Null when it was not used yet. */
  readonly consumedAt: string | null;
}

interface NewRow {
  readonly payload: object;
  readonly grantId: string | null;
  readonly expiresAt: Date;
  /** Whether a row that is there already stays as it is. */
  readonly keeps?: boolean;
}

/** Ids of codes, tokens and requests are what their holders present, so only hashes of them are stored. */
const hashed = (id: string): string => createHash('sha256').update(id, 'utf8').digest('hex');

export async function findRow(tx: Transaction, model: string, id: string, now: Date): Promise<StateRow | undefined> {
  const [row] = await tx.query<{ payload: string; grant_id: string | null; consumed_at: string | null }>(
    'select payload, grant_id, consumed_at from oauth_state where model = $1 and id = $2 and expires_at > $3',
    [model, hashed(id), now.toISOString()],
  );
  return row && { payload: row.payload, grantId: row.grant_id, consumedAt: row.consumed_at };
}

/** Stores a row; one with its id is replaced, or kept. */
export async function putRow(tx: Transaction, model: string, id: string, row: NewRow): Promise<void> {
  await tx.query(
    `insert into oauth_state (model, id, payload, grant_id, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (model, id) do update
       set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at where not $6`,
    [model, hashed(id), JSON.stringify(row.payload), row.grantId, row.expiresAt.toISOString(), row.keeps ?? false],
  );
}

/** Marks a code or a refresh token as used, once: of two processes that try at the same time one succeeds. */
export async function consumeRow(tx: Transaction, model: string, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    'update oauth_state set consumed_at = $3 where model = $1 and id = $2 and consumed_at is null returning 1',
    [model, hashed(id), now.toISOString()],
  );
  return rows.length > 0;
}

export async function removeRow(tx: Transaction, model: string, id: string): Promise<void> {
  await tx.query('delete from oauth_state where model = $1 and id = $2', [model, hashed(id)]);
}

/** Removes a grant with its codes and tokens. Its client stays. */
export async function removeGrant(tx: Transaction, grantId: string): Promise<void> {
  await tx.query("delete from oauth_state where grant_id = $1 and model <> 'Client'", [grantId]);
}

/** Notes the latest grant of a registered client, which is kept until `until` at least. */
export async function noteGrant(tx: Transaction, clientId: string, grantId: string, until: Date): Promise<void> {
  await tx.query(
    `update oauth_state set grant_id = $2, expires_at = greatest(expires_at, $3)
      where model = 'Client' and id = $1`,
    [hashed(clientId), grantId, until.toISOString()],
  );
}

/** Counts registered clients without a grant. Processes that register clients wait for each other until they commit. */
export async function clientsWithoutGrant(tx: Transaction, now: Date): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtext('oauth clients'))");
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from oauth_state where model = 'Client' and grant_id is null and expires_at > $1`,
    [now.toISOString()],
  );
  return row?.count ?? 0;
}

/** Removes rows that have expired, up to a number of them. @returns whether there may be more */
export async function removeExpired(tx: Transaction, now: Date, most: number): Promise<boolean> {
  const removed = await tx.query(
    `delete from oauth_state where (model, id) in
       (select model, id from oauth_state where expires_at < $1 order by expires_at limit $2 for update skip locked)
     returning 1`,
    [now.toISOString(), most],
  );
  return removed.length === most;
}

/** The signing keys, the newest first. */
export async function signingKeyRows(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.query<{ payload: string }>(
    "select payload from oauth_state where model = 'SigningKey' order by expires_at desc, id",
  );
  return rows.map(({ payload }) => payload);
}

/** Stores a signing key if there is none with its number yet: another process may have made it at the same time. */
export async function addSigningKey(tx: Transaction, id: string, payload: object, expiresAt: Date): Promise<void> {
  await tx.query(
    `insert into oauth_state (model, id, payload, expires_at) values ('SigningKey', $1, $2, $3) on conflict do nothing`,
    [id, JSON.stringify(payload), expiresAt.toISOString()],
  );
}

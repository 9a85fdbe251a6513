import type { DeliveryState } from '../../contracts/webhooks.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';
import { gather, inOrder } from '../projection.js';
import { reachOf } from './queries.js';

/** One memory for one webhook. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly memoryId: string;
}

/** Queues deliveries. A memory that was queued for a webhook before is not queued again. */
export async function queueDeliveries(tx: Transaction, rows: readonly NewDelivery[], now: Date): Promise<void> {
  await tx.query(
    `insert into deliveries (id, webhook_id, memory_id, state, run_after, created_at, updated_at)
     select id, webhook_id, memory_id, 'pending', $4, $4, $4
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) d(id, webhook_id, memory_id) on conflict do nothing`,
    [rows.map(({ id }) => id), rows.map((row) => row.webhookId), rows.map((row) => row.memoryId), now.toISOString()],
  );
}

/** Drops the deliveries of deleted memories and deleted webhooks, in the transaction of the append. */
export const droppedDeliveries = inOrder(
  gather({ 'memory.delete': ({ entry }) => [entry.body.memory_id] }, (tx, memories) =>
    tx.query('delete from deliveries where memory_id = any((select $1::uuid[])::uuid[])', [memories]),
  ),
  gather({ 'webhook.deleted': ({ entry }) => [entry.body.webhook_id] }, async (tx, webhooks) => {
    await tx.query('delete from deliveries where webhook_id = any($1::uuid[])', [webhooks]);
    await tx.query('delete from webhook_health where webhook_id = any($1::uuid[])', [webhooks]);
  }),
);

export interface ClaimedDelivery extends Row {
  id: string;
  webhook_id: string;
  memory_id: string;
  attempts: number;
  created_at: string;
  /** The webhook's deposit, with the fields that prove that it is what its receipt commits to. */
  receipt_id: string;
  receipt_hash: string;
  entry: Uint8Array;
  salt: Uint8Array;
  /** The target, JSON text. */
  content: string;
  metadata: string | null;
  source: string | null;
  label: string | null;
  /** Whether the webhook may still be notified of the memory. */
  visible: boolean;
}

/**
 * Leases up to `limit` due deliveries to `owner`, those of several workspaces alternately, of each the longest due first. A workspace
 * has at most `ofWorkspace` in flight, a webhook at most `each`, `busy` counted, and one that fails has one: receivers that do not
 * answer delay no other workspace and no other webhook. What others are just taking is passed over, and
 * a lease that has run out by the database's clock is taken over.
 */
export async function claimDeliveries(
  tx: Transaction,
  owner: string,
  now: Date,
  bounds: {
    readonly leaseMs: number;
    readonly limit: number;
    readonly ofWorkspace: number;
    readonly each: number;
    readonly busy: ReadonlyMap<string, number>;
  },
): Promise<ClaimedDelivery[]> {
  const at = now.toISOString();
  // Usually nothing is due. One look-up in an index shows that.
  const due = `state = 'pending' and run_after <= $1 and (lease_until is null or lease_until < now())`;
  const [any] = await tx.query(`select 1 from deliveries where ${due} limit 1`, [at]);
  if (!any) return [];
  return tx.query<ClaimedDelivery>(
    `with waiting as (
       select d.id, d.run_after, w.workspace_id from webhooks w left join webhook_health h on h.webhook_id = w.id
         left join unnest($6::uuid[], $7::int[]) b(id, held) on b.id = w.id cross join lateral (
           select id, run_after from deliveries where webhook_id = w.id and ${due}
            order by run_after
            limit greatest(0, case when h.failing_since is null then $5::int else 1 end - coalesce(b.held, 0))
            for update skip locked) d),
     in_flight as (
       select w.workspace_id, sum(b.held) as held from unnest($6::uuid[], $7::int[]) b(id, held) join webhooks w on w.id = b.id
        group by w.workspace_id),
     numbered as (
       select d.id, d.run_after, row_number() over (partition by workspace_id order by d.run_after, d.id) + coalesce(f.held, 0) as number
         from waiting d left join in_flight f using (workspace_id)),
     picked as (select id from numbered where number <= $8 order by number, run_after limit $4),
     claimed as (
       update deliveries d set lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond' from picked where d.id = picked.id
       returning d.id, d.webhook_id, d.memory_id, d.attempts, d.created_at)
     select c.id::text, c.webhook_id::text, c.memory_id::text, c.attempts, c.created_at, w.receipt_id,
            encode(e.hash, 'hex') as receipt_hash, e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label,
            exists (select 1 from ${memoryRows} m join ${reachOf('w', '$1')} r on true
              where m.id = c.memory_id and m.workspace_id = w.workspace_id
                and (r.namespace_ids is null or m.namespace_id = any(r.namespace_ids))) as visible
       from claimed c join webhooks w on w.id = c.webhook_id join ${vaultRows} v on v.receipt_id = w.receipt_id
       join ${entryRows} e on e.receipt_id = w.receipt_id
      order by c.id`,
    [
      at,
      owner,
      bounds.leaseMs,
      bounds.limit,
      bounds.each,
      [...bounds.busy.keys()],
      [...bounds.busy.values()],
      bounds.ofWorkspace,
    ],
  );
}

export async function removeDeliveries(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query('delete from deliveries where id = any($1::uuid[])', [ids]);
}

/** Releases the leases of deliveries that were not sent. */
export async function releaseDeliveries(tx: Transaction, owner: string, ids: readonly string[]): Promise<void> {
  await tx.query(
    'update deliveries set lease_owner = null, lease_until = null where id = any($2::uuid[]) and lease_owner = $1',
    [owner, ids],
  );
}

/**
 * Gives up deliveries that must not be sent, for `reason`. The health of the webhook does not change. When the reason no longer
 * exists, each can be sent again like any other delivery that was given up.
 */
export async function giveUp(
  tx: Transaction,
  owner: string,
  ids: readonly string[],
  reason: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `update deliveries set state = 'dead', last_error = $3, lease_owner = null, lease_until = null, updated_at = $4
      where id = any($2::uuid[]) and lease_owner = $1`,
    [owner, ids, reason, now.toISOString()],
  );
}

/** Gives back the deliveries of a killed process. Only for a store that one process at a time can open: elsewhere other processes may be working on them. */
export async function releaseAllDeliveries(tx: Transaction): Promise<void> {
  await tx.query('update deliveries set lease_owner = null, lease_until = null where lease_owner is not null');
}

/** How an attempt ended. */
interface Ended {
  readonly id: string;
  readonly webhookId: string;
  readonly state: DeliveryState;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** The time of the next attempt, if the delivery is pending again. */
  readonly retryAt: Date | null;
}

/**
 * Stores how an attempt ended, if `owner` still has the lease, and the new health of the webhook.
 * @param patienceMs a webhook that has failed for this time is disabled when a delivery is given up, and gets no more deliveries
 */
export async function endAttempt(
  tx: Transaction,
  owner: string,
  ended: Ended,
  now: Date,
  patienceMs: number,
): Promise<void> {
  const at = now.toISOString();
  const kept = await tx.query(
    `update deliveries set state = $3, attempts = attempts + 1, last_status_code = $4, last_error = $5,
        run_after = coalesce($6::timestamptz, run_after), lease_owner = null, lease_until = null, updated_at = $7
      where id = $2 and lease_owner = $1 returning 1`,
    [owner, ended.id, ended.state, ended.statusCode, ended.error, ended.retryAt?.toISOString() ?? null, at],
  );
  if (kept.length === 0) return;
  const delivered = ended.state === 'delivered';
  const [health] = await tx.query<{ disabled: boolean }>(
    `insert into webhook_health as h values ($1, $2, $3, case when $4 then null else $2::timestamptz end, false)
     on conflict (webhook_id) do update set last_delivery_at = $2, last_status_code = $3,
        failing_since = case when $4 then null else coalesce(h.failing_since, $2) end,
        disabled = not $4 and (h.disabled or ($5 and h.failing_since <= $6))
     returning disabled`,
    [
      ended.webhookId,
      at,
      ended.statusCode,
      delivered,
      ended.state === 'dead',
      new Date(now.getTime() - patienceMs).toISOString(),
    ],
  );
  if (!health?.disabled) return;
  // Deliveries that other workers hold are skipped, because these workers may wait for the row of the webhook, which is locked.
  await tx.query(
    `update deliveries set state = 'dead', last_error = 'the webhook was disabled', updated_at = $2
      where id in (select id from deliveries where webhook_id = $1 and state = 'pending' and lease_owner is null
                    for update skip locked)`,
    [ended.webhookId, at],
  );
}

/** Deletes deliveries that ended before `until`. */
export async function forgetEnded(tx: Transaction, until: Date, limit: number): Promise<number> {
  const rows = await tx.query(
    `delete from deliveries where id in
       (select id from deliveries where state <> 'pending' and updated_at < $1 order by updated_at limit $2)
     returning 1`,
    [until.toISOString(), limit],
  );
  return rows.length;
}

interface DeliveryView extends Row {
  id: string;
  webhook_id: string;
  memory_id: string;
  state: DeliveryState;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  next_attempt_at: string | null;
  created_at: string;
  updated_at: string;
}

const view = `d.id::text, d.webhook_id::text, d.memory_id::text, d.state, d.attempts, d.last_status_code, d.last_error,
  case when d.state = 'pending' then d.run_after end as next_attempt_at, d.created_at, d.updated_at`;

/** Deliveries of a webhook about memories in these namespaces, newest first: those before `before`. */
export function deliveriesOf(
  tx: Transaction,
  webhookId: string,
  namespaceIds: readonly string[],
  state: DeliveryState | null,
  before: string | null,
  limit: number,
): Promise<DeliveryView[]> {
  return tx.query<DeliveryView>(
    `select ${view} from deliveries d join ${memoryRows} m on m.id = d.memory_id
      where d.webhook_id = $1 and m.namespace_id = any($2::uuid[]) and ($3::text is null or d.state = $3)
        and ($4::uuid is null or d.id < $4::uuid) order by d.id desc limit $5`,
    [webhookId, namespaceIds, state, before, limit],
  );
}

/** Queues a delivery again from its first attempt. A pending delivery becomes due now. @returns undefined if there is none */
export async function requeueDelivery(
  tx: Transaction,
  webhookId: string,
  namespaceIds: readonly string[],
  id: string,
  now: Date,
): Promise<DeliveryView | undefined> {
  const [row] = await tx.query<DeliveryView>(
    `update deliveries d set state = 'pending', run_after = $4, updated_at = $4,
        attempts = case when d.state = 'pending' then d.attempts else 0 end
       from ${memoryRows} m
      where d.id = $3::uuid and d.webhook_id = $1 and m.id = d.memory_id and m.namespace_id = any($2::uuid[])
     returning ${view}`,
    [webhookId, namespaceIds, id, now.toISOString()],
  );
  return row;
}

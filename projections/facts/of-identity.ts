import type { Row, Transaction } from '../../src/database/database.js';
import type { Place } from '../../src/domain/market/fact.js';

/** The condition of the index by the time of recording, which holds the receipts of identities only. */
const ofIdentity = "starts_with(f.agent, 'agn_')";

/** An identity, and the moment from which its receipts are not counted yet. */
interface Uncounted {
  readonly agnId: string;
  readonly fromMs: number;
}

/** For each identity that has one the time of its first public receipt from a moment on and before another one. */
export async function firstReceipts(
  tx: Transaction,
  uncounted: readonly Uncounted[],
  beforeMs: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ agent: string; recorded_ms: number }>(
    `select a.agent, r.recorded_ms from unnest($1::text[], $2::bigint[]) a(agent, from_ms) cross join lateral (
       select f.recorded_ms from facts f
        where f.agent = a.agent and ${ofIdentity} and f.recorded_ms >= a.from_ms and f.recorded_ms < $3
        order by f.recorded_ms limit 1) r`,
    [uncounted.map(({ agnId }) => agnId), uncounted.map(({ fromMs }) => fromMs), beforeMs],
  );
  return new Map(rows.map(({ agent, recorded_ms }) => [agent, recorded_ms]));
}

interface FactRow extends Row {
  recorded_ms: number;
  hash: string;
  workspace: string;
  seq: number;
  status: string;
  latency_bucket: number;
}

/** The public receipts of an identity behind a place and before a moment, in recorded order. */
export function receiptsOfIdentity(
  tx: Transaction,
  agnId: string,
  after: Place,
  beforeMs: number,
  limit: number,
): Promise<FactRow[]> {
  return tx.query<FactRow>(
    `select f.recorded_ms, f.hash, f.workspace, f.seq, f.status, f.latency_bucket from facts f
      where f.agent = $1 and ${ofIdentity} and (f.recorded_ms, f.hash) > ($2, $3) and f.recorded_ms < $4
      order by f.recorded_ms, f.hash limit $5`,
    [agnId, after.recorded_ms, after.hash, beforeMs, limit],
  );
}

import type { Row, Transaction } from '../../src/database/database.js';
import type { Place } from '../../src/domain/market/fact.js';
import { closingOf, startOf } from '../../src/domain/market/indices/days.js';
import { dayMs, hourMs } from '../../src/domain/market/state/windows.js';

/** The facts of a receipt that the close of its day uses. */
export interface DayFactRow extends Row {
  recorded_ms: number;
  hash: string;
  vendor: string;
  capability: string | null;
  status: string;
  latency_bucket: number;
  cost_micros: number | null;
  scope_violated: boolean;
}

/**
 * A page of the on-time receipts of a day in recorded order. A task may end 5 minutes after it was recorded, so the first of
 * them were recorded at most an hour before the day began.
 * @param after the last one of the page before; null for the first page
 */
export function onTimeFacts(tx: Transaction, day: number, after: Place | null, limit: number): Promise<DayFactRow[]> {
  return tx.query<DayFactRow>(
    `select recorded_ms, hash, vendor, capability, status, latency_bucket, cost_micros, scope_violated
       from facts where (recorded_ms, hash) > ($1, $2) and recorded_ms < $3 and ended_ms >= $4 and ended_ms < $5
      order by recorded_ms, hash limit $6`,
    [
      after?.recorded_ms ?? startOf(day) - hourMs,
      after?.hash ?? '',
      closingOf(day),
      startOf(day),
      startOf(day + 1),
      limit,
    ],
  );
}

/** The first day up to `last` that has an on-time receipt, as whole days since 1970. */
export async function firstOnTimeDay(tx: Transaction, last: number): Promise<number | null> {
  const [row] = await tx.query<{ ended_ms: number | null }>(
    `select min(ended_ms) as ended_ms from facts
      where ended_ms < $1 and recorded_ms < ended_ms - ended_ms % ${dayMs} + ${dayMs + hourMs}`,
    [startOf(last + 1)],
  );
  return typeof row?.ended_ms === 'number' ? Math.floor(row.ended_ms / dayMs) : null;
}

/** Those of these capabilities that a receipt recorded before a moment has named a sector for, with the first such sector. */
export function namedSectors(
  tx: Transaction,
  capabilities: readonly string[],
  before: number,
): Promise<{ capability: string; sector: string }[]> {
  return tx.query(
    `select c.capability, f.sector from unnest($1::text[]) c(capability) cross join lateral (
       select sector from facts where capability = c.capability and sector is not null and recorded_ms < $2
        order by recorded_ms, hash limit 1) f`,
    [capabilities, before],
  );
}

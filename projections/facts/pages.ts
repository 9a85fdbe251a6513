import type { Row, Transaction } from '../../src/database/database.js';
import type { Place } from '../../src/domain/market/fact.js';
import type { TaskRange } from '../../src/domain/market/state/service-levels.js';

/** Before the first receipt. */
export const noPlace: Place = { recorded_ms: -1, hash: '' };

/** Public receipts with their statements, in recorded order. */
export interface ReceiptPage {
  readonly count: number;
  /** JSON, which the database has written, so that the main thread does not parse the rows. */
  readonly rows: string;
  readonly last: Place;
  /** The identities among their agents. */
  readonly identities: readonly string[];
}

interface PageRow extends Row {
  count: number;
  rows: string | null;
  recorded_ms: number;
  hash: string;
  identities: string[] | null;
}

/** Receipts that were recorded behind a place, and at a time or before; null when there are no more. */
export async function receiptPage(
  tx: Transaction,
  after: Place,
  throughMs: number,
  limit: number,
): Promise<ReceiptPage | null> {
  const [page] = await tx.query<PageRow>(
    `with page as (
       select f.*, p.workspace_id, p.invoice_id, p.run_id as run,
              (select json_agg(json_build_object('type', s.type, 'statement', s.statement)) from fact_statements s
                where s.recorded_ms = f.recorded_ms and s.hash = f.hash) as statements
         from facts f left join fact_private_ids p on p.recorded_ms = f.recorded_ms and p.hash = f.hash
        where (f.recorded_ms, f.hash) > ($1, $2) and f.recorded_ms <= $3
        order by f.recorded_ms, f.hash limit $4)
     select count(*) as count, json_agg(page order by recorded_ms, hash)::text as rows, max(recorded_ms) as recorded_ms,
            (array_agg(hash order by recorded_ms desc, hash desc))[1] as hash,
            array_agg(distinct agent) filter (where starts_with(agent, 'agn_')) as identities
       from page`,
    [after.recorded_ms, after.hash, throughMs, limit],
  );
  if (!page || page.rows === null) return null;
  const { count, rows, recorded_ms, hash, identities } = page;
  return { count, rows, last: { recorded_ms, hash }, identities: identities ?? [] };
}

/** The time in which tasks ended, half-open: later than the first moment, and at the last one or before. */
interface Ended {
  readonly afterMs: number;
  readonly throughMs: number;
}

/** The position of a task by its end. */
interface EndPlace extends Place {
  readonly ended_ms: number;
}

/** Tasks by their end. */
interface TaskPage {
  readonly count: number;
  /** JSON, as above. */
  readonly rows: string;
  readonly last: EndPlace;
}

/**
 * Tasks of receipts that were recorded at a time or before, by their end.
 * @param after the last one of the page before; null for the first page
 */
export async function taskPage(
  tx: Transaction,
  { afterMs, throughMs }: Ended,
  recordedMs: number,
  after: EndPlace | null,
  limit: number,
): Promise<TaskPage | null> {
  const from = after ?? { ended_ms: afterMs + 1, ...noPlace };
  const [page] = await tx.query<PageRow & { ended_ms: number }>(
    `with page as (
       select f.*, p.run_id as run
         from facts f left join fact_private_ids p on p.recorded_ms = f.recorded_ms and p.hash = f.hash
        where (f.ended_ms, f.recorded_ms, f.hash) > ($1, $2, $3) and f.ended_ms <= $4 and f.recorded_ms <= $5
        order by f.ended_ms, f.recorded_ms, f.hash limit $6)
     select p.count, p.rows, l.ended_ms, l.recorded_ms, l.hash
       from (select count(*) as count, json_agg(page order by ended_ms, recorded_ms, hash)::text as rows from page) p,
            (select ended_ms, recorded_ms, hash from page order by 1 desc, 2 desc, 3 desc limit 1) l`,
    [from.ended_ms, from.recorded_ms, from.hash, throughMs, recordedMs, limit],
  );
  if (!page || page.rows === null) return null;
  const { count, rows, ended_ms, recorded_ms, hash } = page;
  return { count, rows, last: { ended_ms, recorded_ms, hash } };
}

interface CountRow extends Row {
  status: string;
  latency_bucket: number;
  tasks: number;
}

/** The tasks of a range among the receipts that were recorded at a time or before, by status and latency. */
export function taskCounts(
  tx: Transaction,
  { agent, capability, fromMs, toMs }: TaskRange,
  recordedMs: number,
): Promise<CountRow[]> {
  return tx.query<CountRow>(
    `select status, latency_bucket, count(*) as tasks from facts
      where agent = $1 and capability = $2 and ended_ms >= $3 and ended_ms < $4 and recorded_ms <= $5
      group by status, latency_bucket`,
    [agent, capability, fromMs, toMs, recordedMs],
  );
}

/** Whether there is a public receipt that was recorded at a time or before. */
export async function hasReceipts(tx: Transaction, throughMs: number): Promise<boolean> {
  return (await tx.query('select 1 from facts where recorded_ms <= $1 limit 1', [throughMs])).length > 0;
}

/** The number of public receipts that were recorded later, up to `most`. */
export async function receiptsAfter(tx: Transaction, ms: number, most: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*) as count from (select 1 from facts where recorded_ms > $1 limit $2) waiting',
    [ms, most],
  );
  return row?.count ?? 0;
}

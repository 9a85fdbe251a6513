import type { Row, Transaction } from '../../src/database/database.js';

export interface CloseRow extends Row {
  day: string;
  receipt_id: string;
  recorded_ms: number;
  levels: string;
  facts_hash: string;
}

const columns = 'day, receipt_id, recorded_ms, levels, facts_hash';

/** The last day that has closed. */
export async function lastClosedDay(tx: Transaction): Promise<string | null> {
  const [row] = await tx.query<{ day: string | null }>('select max(day) as day from closes');
  return row?.day ?? null;
}

/** The newest closes that were recorded by a moment, newest first. Closes are recorded in the order of their days. */
export function closesRecordedBy(tx: Transaction, ms: number, limit: number): Promise<CloseRow[]> {
  return tx.query<CloseRow>(`select ${columns} from closes where recorded_ms <= $1 order by day desc limit $2`, [
    ms,
    limit,
  ]);
}

/** The newest closes of days before one, newest first. @param day null for all days */
export function closesBefore(tx: Transaction, day: string | null, limit: number): Promise<CloseRow[]> {
  return tx.query<CloseRow>(
    `select ${columns} from closes where $1::text is null or day < $1 order by day desc limit $2`,
    [day, limit],
  );
}

export function closesOf(tx: Transaction, days: readonly string[]): Promise<CloseRow[]> {
  return tx.query<CloseRow>(`select ${columns} from closes where day = any($1::text[])`, [days]);
}

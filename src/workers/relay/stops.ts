import type { Row, Transaction } from '../../database/database.js';

/**
 * Why nothing is sent for a chain: the topic holds entries that are not in the ledger, or the broker does not take the next
 * entry.
 */
type StopReason = 'forked' | 'refused';

interface Stop {
  readonly chain: string;
  readonly reason: StopReason;
  readonly seq: number;
  readonly detail: string;
}

/** A fork remains: what is in the topic stays there. */
export async function stopChain(tx: Transaction, topic: string, { chain, reason, seq, detail }: Stop): Promise<void> {
  await tx.query(
    `insert into relay_stops as s (topic, chain, reason, seq, detail) values ($1, $2, $3, $4, $5)
     on conflict (topic, chain) do update set reason = excluded.reason, seq = excluded.seq, detail = excluded.detail
      where s.reason <> 'forked'`,
    [topic, chain, reason, seq, detail],
  );
}

/** The broker takes the entries of a chain again. */
export async function acceptChain(tx: Transaction, topic: string, chain: string): Promise<void> {
  await tx.query(`delete from relay_stops where topic = $1 and chain = $2 and reason = 'refused'`, [topic, chain]);
}

export async function stoppedChains(tx: Transaction, topic: string, reason: StopReason): Promise<Set<string>> {
  const rows = await tx.query<{ chain: string }>(
    'select chain::text from relay_stops where topic = $1 and reason = $2',
    [topic, reason],
  );
  return new Set(rows.map(({ chain }) => chain));
}

/** The stops of one reason: how many there are, and the first one. */
export interface StopSummary extends Row {
  readonly reason: StopReason;
  readonly chains: number;
  readonly chain: string;
  readonly detail: string;
}

export function stopSummaries(tx: Transaction, topic: string): Promise<StopSummary[]> {
  return tx.query<StopSummary>(
    `select distinct on (reason) reason, count(*) over (partition by reason) as chains, chain::text, detail
       from relay_stops where topic = $1 order by reason, since, chain`,
    [topic],
  );
}

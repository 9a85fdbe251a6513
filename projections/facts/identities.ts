import type { Row, Transaction } from '../../src/database/database.js';

/** Capabilities and months of one record. Only the holder of the key, and workspaces that it has proved, can add any. */
const [mostCapabilities, mostMonths, mostAttestations] = [500, 1200, 100];

interface NewestHandle extends Row {
  agent: string;
  handle: string;
}

/** The handle of the newest public task of each identity: by its end, then in recorded order. */
export function newestHandles(tx: Transaction, agents: readonly string[]): Promise<NewestHandle[]> {
  return tx.query<NewestHandle>(
    `select a.agent, f.handle from unnest($1::text[]) a(agent) cross join lateral (
       select handle from facts where agent = a.agent
        order by ended_ms desc, recorded_ms desc, hash desc limit 1) f`,
    [agents],
  );
}

interface CapabilitySums extends Row {
  agent: string;
  capability: string;
  tasks: number;
  first_ms: number;
  last_ms: number;
}

/** The capabilities of each identity, most tasks first. The order of capabilities is that of their symbols. */
export function capabilitySums(tx: Transaction, agents: readonly string[]): Promise<CapabilitySums[]> {
  return tx.query<CapabilitySums>(
    `select a.agent, c.capability, c.tasks, c.first_ms, c.last_ms from unnest($1::text[]) a(agent) cross join lateral (
       select * from fact_capabilities where agent = a.agent order by tasks desc, capability limit ${mostCapabilities}) c
      order by c.tasks desc, c.capability`,
    [agents],
  );
}

interface MonthSums extends Row {
  agent: string;
  month: string;
  tasks: number;
  successes: number;
  failures: number;
}

/** The newest months of each identity, oldest first. */
export function monthSums(tx: Transaction, agents: readonly string[]): Promise<MonthSums[]> {
  return tx.query<MonthSums>(
    `select a.agent, m.month, m.tasks, m.successes, m.failures from unnest($1::text[]) a(agent) cross join lateral (
       select * from fact_months where agent = a.agent order by month desc limit ${mostMonths}) m order by m.month`,
    [agents],
  );
}

interface TotalSums extends Row {
  agent: string;
  tasks: number;
  successes: number;
  failures: number;
  violated: number;
  first_ms: number;
  last_ms: number;
}

/** The sums of each identity over all time. */
export function totalSums(tx: Transaction, agents: readonly string[]): Promise<TotalSums[]> {
  return tx.query<TotalSums>(
    `select agent, sum(tasks)::bigint as tasks, sum(successes)::bigint as successes, sum(failures)::bigint as failures,
            sum(violated)::bigint as violated, min(first_ms) as first_ms, max(last_ms) as last_ms
       from fact_months where agent = any($1::text[]) group by agent`,
    [agents],
  );
}

interface AttestationFact extends Row {
  agent: string;
  recorded_ms: number;
  type: string;
  issuer: string | null;
  hash: string;
  verified: boolean;
}

/** The newest attestations of the public receipts of each identity, oldest first. */
export function newestAttestations(tx: Transaction, agents: readonly string[]): Promise<AttestationFact[]> {
  return tx.query<AttestationFact>(
    `select a.agent, t.recorded_ms, t.type, t.issuer, t.hash, t.verified
       from unnest($1::text[]) a(agent) cross join lateral (
       select * from fact_attestations where agent = a.agent
        order by recorded_ms desc, hash desc, position desc limit ${mostAttestations}) t
      order by t.recorded_ms, t.hash, t.position`,
    [agents],
  );
}

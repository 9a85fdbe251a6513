import type { Fact } from '../../src/domain/market/fact.js';

/** The public receipts of a handle in a workspace that count as those of an agent. */
interface HandleRow {
  readonly workspace: string;
  readonly handle: string;
  readonly agent: string;
  readonly newest_seq: number;
}

export function handlesOf(facts: readonly Fact[]): HandleRow[] {
  const rows = new Map<string, HandleRow>();
  for (const { workspace, handle, agent, seq } of facts) {
    const key = `${workspace} ${handle} ${agent}`;
    const newest_seq = Math.max(rows.get(key)?.newest_seq ?? seq, seq);
    rows.set(key, { workspace, handle, agent, newest_seq });
  }
  return [...rows.values()];
}

/** Counts of tasks, and the end of the first and the last one. */
interface Sums {
  tasks: number;
  first_ms: number;
  last_ms: number;
}

interface MonthRow extends Sums {
  readonly agent: string;
  readonly month: string;
  successes: number;
  failures: number;
  violated: number;
}

/** The counts of each agent in each month of UTC in which tasks of it ended. */
export function monthsOf(facts: readonly Fact[]): MonthRow[] {
  const rows = new Map<string, MonthRow>();
  for (const { agent, ended_ms, status, scope_violated } of facts) {
    const month = new Date(ended_ms).toISOString().slice(0, 7);
    const key = `${agent} ${month}`;
    const row = rows.get(key) ?? { agent, month, ...noTasks(ended_ms), successes: 0, failures: 0, violated: 0 };
    rows.set(key, row);
    addTask(row, ended_ms);
    if (status === 'success') row.successes += 1;
    if (status === 'partial' || status === 'error') row.failures += 1;
    if (scope_violated) row.violated += 1;
  }
  return [...rows.values()];
}

interface CapabilityRow extends Sums {
  readonly agent: string;
  readonly capability: string;
}

/** The counts of each agent and capability. */
export function capabilitiesOf(facts: readonly Fact[]): CapabilityRow[] {
  const rows = new Map<string, CapabilityRow>();
  for (const { agent, capability, ended_ms } of facts) {
    if (capability === null) continue;
    const key = `${agent} ${capability}`;
    const row = rows.get(key) ?? { agent, capability, ...noTasks(ended_ms) };
    rows.set(key, row);
    addTask(row, ended_ms);
  }
  return [...rows.values()];
}

const noTasks = (ms: number): Sums => ({ tasks: 0, first_ms: ms, last_ms: ms });

function addTask(row: Sums, ms: number): void {
  row.tasks += 1;
  row.first_ms = Math.min(row.first_ms, ms);
  row.last_ms = Math.max(row.last_ms, ms);
}

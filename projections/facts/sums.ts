import type { Fact } from '../../src/domain/market/fact.js';

/** From this receipt on, a handle of a workspace is recorded as this agent. */
interface HandleRow {
  readonly workspace: string;
  readonly handle: string;
  readonly from_seq: number;
  readonly agent: string;
  /** The agent before, where it is known from the same facts. */
  readonly previous: string | null;
}

/** The changes of handles from one agent to another. @param facts in the order of each chain */
export function handlesOf(facts: readonly Fact[]): HandleRow[] {
  const rows: HandleRow[] = [];
  const agents = new Map<string, string>();
  for (const { workspace, handle, agent, seq } of facts) {
    const key = `${workspace} ${handle}`;
    const previous = agents.get(key) ?? null;
    if (previous !== agent) rows.push({ workspace, handle, from_seq: seq, agent, previous });
    agents.set(key, agent);
  }
  return rows;
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
  return inOrder(rows);
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
  return inOrder(rows);
}

/**
 * The rows in one order for all processes. Identities may be linked in several workspaces, and two appends that lock the
 * rows of two identities in different orders would wait for each other until the database ends one of them.
 */
function inOrder<R>(rows: ReadonlyMap<string, R>): R[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const noTasks = (ms: number): Sums => ({ tasks: 0, first_ms: ms, last_ms: ms });

function addTask(row: Sums, ms: number): void {
  row.tasks += 1;
  row.first_ms = Math.min(row.first_ms, ms);
  row.last_ms = Math.max(row.last_ms, ms);
}

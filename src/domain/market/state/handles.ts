import { isIdentity } from '../fact.js';
import type { Task } from './receipt.js';

/** A public receipt of a handle, and the agent that it was recorded as. */
interface Point {
  readonly seq: number;
  readonly agent: string;
}

/** The receipts of one handle of one workspace. */
interface History {
  /** The first receipt of each run of receipts of the same agent, in the order of the chain. */
  readonly runs: Point[];
  /** All receipts of the newest millisecond: hashes order them, so they may arrive in another order than that of the chain. */
  newest: Point[];
  newestMs: number;
}

/** Which agents the public receipts of workspaces were recorded as. */
export interface Handles {
  /** @returns whether an answer of the other two functions may have changed */
  add(task: Task): boolean;
  /** The agent of the newest public receipt of this handle up to a position of the chain; null without one. */
  agentAt(workspace: string, handle: string, seq: number): string | null;
  /** Whether the workspace has a public receipt of this identity. */
  hasIdentity(workspace: string, agent: string): boolean;
}

/**
 * Its memory grows with the handles and with their links to other agents, and not with the receipts. It is exact when the
 * receipts of each workspace arrive in recorded order or in the order of the chain; workspaces may arrive in any order.
 */
export function createHandles(): Handles {
  const histories = new Map<string, History>();
  const identities = new Set<string>();
  const agentAt = (workspace: string, handle: string, seq: number): string | null => {
    const history = histories.get(keyOf(workspace, handle));
    if (history === undefined) return null;
    const [old, fresh] = [newestUpTo(history.runs, seq), newestUpTo(history.newest, seq)];
    if (old === undefined || (fresh !== undefined && fresh.seq > old.seq)) return fresh?.agent ?? null;
    return old.agent;
  };
  return {
    agentAt,
    hasIdentity: (workspace, agent) => identities.has(keyOf(workspace, agent)),
    add({ workspace, handle, seq, agent, recorded_ms }) {
      const changes = agentAt(workspace, handle, seq) !== agent;
      const key = keyOf(workspace, handle);
      const history = histories.get(key) ?? { runs: [], newest: [], newestMs: recorded_ms };
      histories.set(key, history);
      addPoint(history, { seq, agent }, recorded_ms);
      if (!isIdentity(agent) || identities.has(keyOf(workspace, agent))) return changes;
      identities.add(keyOf(workspace, agent));
      return true;
    },
  };
}

/** Tags of workspaces all have the same length, and no spaces. */
const keyOf = (workspace: string, name: string): string => `${workspace} ${name}`;

function addPoint(history: History, point: Point, recordedMs: number): void {
  if (recordedMs === history.newestMs) history.newest.push(point);
  else if (recordedMs < history.newestMs) addToRuns(history.runs, point);
  else {
    for (const one of history.newest.sort((a, b) => a.seq - b.seq)) addToRuns(history.runs, one);
    history.newest = [point];
    history.newestMs = recordedMs;
  }
}

/** Adds a receipt at its place, unless it continues the run before it; then the run behind it may continue it. */
function addToRuns(runs: Point[], point: Point): void {
  const at = runs.findLastIndex(({ seq }) => seq < point.seq) + 1;
  if (runs[at - 1]?.agent === point.agent) return;
  runs.splice(at, runs[at]?.agent === point.agent ? 1 : 0, point);
}

const newestUpTo = (points: readonly Point[], seq: number): Point | undefined =>
  points.reduce<Point | undefined>(
    (best, point) => (point.seq <= seq && (best === undefined || point.seq > best.seq) ? point : best),
    undefined,
  );

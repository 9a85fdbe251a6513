import { isIdentity } from '../fact.js';
import type { Task } from './receipt.js';

/** A public receipt of a handle, and the agent that it was recorded as. */
interface Point {
  readonly seq: number;
  readonly recordedMs: number;
  readonly agent: string;
}

/** Which agents the public receipts of workspaces were recorded as. */
export interface Handles {
  /** @returns whether an answer of the next two functions may have changed */
  add(task: Task): boolean;
  /** The agent of the newest public receipt of this handle up to a position of the chain; null without one. */
  agentAt(workspace: string, handle: string, seq: number): string | null;
  /** Whether the workspace has a public receipt of this identity. */
  hasIdentity(workspace: string, agent: string): boolean;
  /** All receipts that were recorded at the t before this one have been added. */
  arrive(t: number): void;
}

/**
 * It depends on the receipts, and not on their order. When t moves, it forgets the receipts that say the same as the one
 * before them: its memory grows with the handles and their links to other agents, and not with the receipts.
 */
export function createHandles(): Handles {
  /** The receipts of one handle of one workspace, in the order of the chain. */
  const histories = new Map<string, Point[]>();
  const identities = new Set<string>();
  const changed = new Set<Point[]>();
  let settledMs = Number.NEGATIVE_INFINITY;
  return {
    agentAt(workspace, handle, seq) {
      const points = histories.get(keyOf(workspace, handle)) ?? [];
      return points[placeOf(points, seq) - 1]?.agent ?? null;
    },
    hasIdentity: (workspace, agent) => identities.has(keyOf(workspace, agent)),
    add({ workspace, handle, seq, agent, recorded_ms }) {
      const key = keyOf(workspace, handle);
      const points = histories.get(key) ?? [];
      if (points.length === 0) histories.set(key, points);
      const at = placeOf(points, seq);
      points.splice(at, 0, { seq, recordedMs: recorded_ms, agent });
      changed.add(points);
      if (isIdentity(agent)) identities.add(keyOf(workspace, agent));
      // The first receipt of an identity is among these too: the receipt before it is that of another agent.
      return points[at - 1]?.agent !== agent;
    },
    arrive(t) {
      for (const points of changed) {
        forget(points, settledMs);
        const newest = points.at(-1);
        if (newest !== undefined && newest.recordedMs <= settledMs) changed.delete(points);
      }
      settledMs = t;
    },
  };
}

/** Tags of workspaces all have the same length. */
const keyOf = (workspace: string, name: string): string => `${workspace} ${name}`;

/** The number of receipts up to this position of the chain. Most receipts are the newest of their chain. */
function placeOf(points: readonly Point[], seq: number): number {
  const newest = points.at(-1);
  if (newest === undefined || newest.seq <= seq) return points.length;
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.seq ?? seq) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Removes receipts of the same agent as the one before, up to a time after which only later ones can arrive. */
function forget(points: Point[], settledMs: number): void {
  let [size, agent] = [0, ''];
  for (const point of points) {
    if (point.recordedMs > settledMs || point.agent !== agent) {
      points[size] = point;
      size += 1;
    }
    agent = point.agent;
  }
  points.length = size;
}

import type { Task } from './receipt.js';
import { addTask, noSums, type Sums } from './sums.js';
import type { Window } from './windows.js';

/** Sums over the tasks of one agent, one vendor, or another group. Groups without a task in 30 days are not there. */
export interface TaskGroup {
  readonly day: Sums;
  readonly month: Sums;
  /** The end of the newest task at t or before. */
  lastMs: number;
}

export interface CapabilityGroup extends TaskGroup {
  readonly before: Sums;
  readonly week: Sums;
  /** By day of UTC (whole days since 1970): the tasks of this day that ended at t or before, of 31 days. */
  readonly days: ReadonlyMap<number, Sums>;
  readonly agents: ReadonlyMap<string, TaskGroup>;
  readonly vendors: ReadonlyMap<string, TaskGroup>;
  /** Tag of a workspace → number of its tasks of 24 h. */
  readonly workspaces: ReadonlyMap<string, number>;
}

export interface AgentGroup extends TaskGroup {
  /** Of the newest task. */
  readonly handle: string;
  readonly vendor: string;
  /** The workspace tag of an agent that is no identity; null for an identity. */
  readonly tag: string | null;
  /** Platform → number of tasks of 30 days. */
  readonly platforms: ReadonlyMap<string, number>;
  /** Capability → number of tasks of 30 days. */
  readonly capabilities: ReadonlyMap<string, number>;
}

/** A vendor of agents, or a buyer: a counterparty for which tasks were done. */
export interface PartyGroup extends TaskGroup {
  /** Agent → number of tasks of 30 days. */
  readonly agents: ReadonlyMap<string, number>;
  readonly capabilities: ReadonlyMap<string, number>;
}

/** The tasks in the windows before t, grouped in the ways that figures need. */
export interface TaskGroups {
  /** All tasks. */
  readonly all: TaskGroup;
  readonly capabilities: ReadonlyMap<string, CapabilityGroup>;
  readonly agents: ReadonlyMap<string, AgentGroup>;
  readonly vendors: ReadonlyMap<string, PartyGroup>;
  readonly buyers: ReadonlyMap<string, PartyGroup>;
  /** The sector of a capability: the first that a public receipt has named for it, otherwise `know`. */
  sectorOf(capability: string): string;
}

export const noGroup = (): TaskGroup => ({ day: noSums(), month: noSums(), lastMs: 0 });

/** A task comes into a window of the group, or leaves it. */
export function moveTask(group: TaskGroup, task: Task, window: Window, by: 1 | -1): void {
  if (window === 'day') addTask(group.day, task, by);
  if (window !== 'month') return;
  addTask(group.month, task, by);
  // Tasks leave in the order of their ends, so the newest is the last one that leaves.
  if (group.month.tasks === 0) group.lastMs = 0;
  else if (by === 1) group.lastMs = Math.max(group.lastMs, task.ended_ms);
}

export const isEmpty = ({ day, month }: TaskGroup): boolean => day.tasks === 0 && month.tasks === 0;

/** Changes the group with this key. It is made for its first task, and removed with its last one. */
export function changeGroup<G extends TaskGroup>(
  groups: Map<string, G>,
  key: string,
  make: () => G,
  change: (group: G) => void,
): void {
  const known = groups.get(key);
  const group = known ?? make();
  change(group);
  if (isEmpty(group)) groups.delete(key);
  else if (known === undefined) groups.set(key, group);
}

import type { Sums } from './sums.js';

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

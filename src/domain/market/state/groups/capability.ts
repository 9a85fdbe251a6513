import type { Task } from '../receipt.js';
import { addCount, addTask, noSums, type Sums } from '../sums.js';
import { type CapabilityGroup, changeGroup, isEmpty, moveTask, noGroup, type TaskGroup } from '../task-groups.js';
import { dayMs, type Window } from '../windows.js';

/** The days of UTC before that of t whose sums are there. */
const pastDays = 30;

interface Capability extends CapabilityGroup {
  readonly days: Map<number, Sums>;
  readonly agents: Map<string, TaskGroup>;
  readonly vendors: Map<string, TaskGroup>;
  readonly workspaces: Map<string, number>;
}

const noCapability = (): Capability => ({
  ...noGroup(),
  before: noSums(),
  week: noSums(),
  days: new Map(),
  agents: new Map(),
  vendors: new Map(),
  workspaces: new Map(),
});

interface Capabilities {
  /** Those with a task in 30 days. */
  readonly groups: ReadonlyMap<string, CapabilityGroup>;
  move(capability: string, task: Task, window: Window, by: 1 | -1): void;
  /** Removes the days that are too old at t. */
  arrive(t: number): void;
}

export function createCapabilities(): Capabilities {
  // A day of UTC begins up to 31 days before t, so a capability without a task in 30 days may still have days.
  const all = new Map<string, Capability>();
  const groups = new Map<string, Capability>();
  let firstDay = Number.NEGATIVE_INFINITY;

  const removeOldDays = (group: Capability) => {
    for (const day of group.days.keys()) if (day < firstDay) group.days.delete(day);
  };
  const removeUnused = (capability: string, group: Capability) => {
    if (isUnused(group)) all.delete(capability);
  };
  const groupOf = (capability: string): Capability => {
    const group = all.get(capability) ?? noCapability();
    if (isUnused(group)) all.set(capability, group);
    return group;
  };
  return {
    groups,
    move(capability, task, window, by) {
      const day = Math.floor(task.ended_ms / dayMs);
      if (window === 'past' && day < firstDay) return;
      const group = groupOf(capability);
      if (window === 'past') moveDay(group.days, day, task, by);
      else moveWindow(group, task, window, by);
      if (window === 'month') {
        if (group.month.tasks > 0) groups.set(capability, group);
        else groups.delete(capability);
      }
      if (by === -1) removeUnused(capability, group);
    },
    arrive(t) {
      const first = Math.floor(t / dayMs) - pastDays;
      if (first === firstDay) return;
      firstDay = first;
      for (const [capability, group] of all) {
        removeOldDays(group);
        removeUnused(capability, group);
      }
    },
  };
}

function moveWindow(group: Capability, task: Task, window: Window, by: 1 | -1): void {
  if (window === 'before') addTask(group.before, task, by);
  if (window === 'week') addTask(group.week, task, by);
  if (window !== 'day' && window !== 'month') return;
  moveTask(group, task, window, by);
  const move = (own: TaskGroup) => moveTask(own, task, window, by);
  changeGroup(group.agents, task.agent, noGroup, move);
  changeGroup(group.vendors, task.vendor, noGroup, move);
  if (window === 'day') addCount(group.workspaces, task.workspace, by);
}

function moveDay(days: Map<number, Sums>, day: number, task: Task, by: 1 | -1): void {
  const sums = days.get(day) ?? noSums();
  if (sums.tasks === 0) days.set(day, sums);
  addTask(sums, task, by);
  if (sums.tasks === 0) days.delete(day);
}

const isUnused = (group: Capability): boolean =>
  isEmpty(group) && group.before.tasks === 0 && group.week.tasks === 0 && group.days.size === 0;

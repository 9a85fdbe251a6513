import type { Task } from '../receipt.js';
import { addTask, noSums } from '../sums.js';
import type { TaskGroup } from '../task-groups.js';
import type { Window } from '../windows.js';

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

import { isIdentity } from '../../fact.js';
import { isRecordedBefore, type Task } from '../receipt.js';
import { addCount } from '../sums.js';
import { type AgentGroup, changeGroup, moveTask, noGroup } from '../task-groups.js';
import type { Window } from '../windows.js';

interface Agent extends AgentGroup {
  newest: Task;
  handle: string;
  vendor: string;
  readonly platforms: Map<string, number>;
  readonly capabilities: Map<string, number>;
}

const agentOf = (task: Task): Agent => ({
  ...noGroup(),
  newest: task,
  handle: task.handle,
  vendor: task.vendor,
  tag: isIdentity(task.agent) ? null : task.workspace,
  platforms: new Map(),
  capabilities: new Map(),
});

interface Agents {
  readonly groups: ReadonlyMap<string, AgentGroup>;
  move(task: Task, window: Window, by: 1 | -1): void;
}

export function createAgents(): Agents {
  const groups = new Map<string, Agent>();
  return {
    groups,
    move(task, window, by) {
      changeGroup(
        groups,
        task.agent,
        () => agentOf(task),
        (agent) => moveAgent(agent, task, window, by),
      );
    },
  };
}

function moveAgent(agent: Agent, task: Task, window: Window, by: 1 | -1): void {
  moveTask(agent, task, window, by);
  if (window !== 'month') return;
  addCount(agent.platforms, task.platform, by);
  if (task.capability !== null) addCount(agent.capabilities, task.capability, by);
  if (by === 1 && isNewer(task, agent.newest)) {
    agent.newest = task;
    agent.handle = task.handle;
    agent.vendor = task.vendor;
  }
}

/** By the end of the task, then in recorded order. */
const isNewer = (a: Task, b: Task): boolean =>
  a.ended_ms > b.ended_ms || (a.ended_ms === b.ended_ms && isRecordedBefore(b, a));

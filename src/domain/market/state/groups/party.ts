import type { Task } from '../receipt.js';
import { addCount } from '../sums.js';
import { changeGroup, moveTask, noGroup, type PartyGroup } from '../task-groups.js';
import type { Window } from '../windows.js';

interface Party extends PartyGroup {
  readonly agents: Map<string, number>;
  readonly capabilities: Map<string, number>;
}

const noParty = (): Party => ({ ...noGroup(), agents: new Map(), capabilities: new Map() });

interface Parties {
  readonly groups: ReadonlyMap<string, PartyGroup>;
  move(name: string, task: Task, window: Window, by: 1 | -1): void;
}

export function createParties(): Parties {
  const groups = new Map<string, Party>();
  return {
    groups,
    move: (name, task, window, by) =>
      changeGroup(groups, name, noParty, (party) => {
        moveTask(party, task, window, by);
        if (window !== 'month') return;
        addCount(party.agents, task.agent, by);
        if (task.capability !== null) addCount(party.capabilities, task.capability, by);
      }),
  };
}

import type { Fold } from './fold.js';
import { createAgents } from './groups/agent.js';
import { createCapabilities } from './groups/capability.js';
import { isRecordedBefore, type PublicReceipt, type Task } from './receipt.js';
import { addCount } from './sums.js';
import { changeGroup, moveTask, noGroup, type PartyGroup, type TaskGroups } from './task-groups.js';
import type { Window } from './windows.js';

/** The sector of a capability for which no receipt names one. */
const defaultSector = 'know';

/** The tasks in the windows before t by capability, agent, vendor and buyer. */
export function createTasks(): Required<Fold> & TaskGroups {
  const sectors = createSectors();
  const all = noGroup();
  const capabilities = createCapabilities();
  const agents = createAgents();
  const [vendors, buyers] = [createParties(), createParties()];
  return {
    all,
    capabilities: capabilities.groups,
    agents: agents.groups,
    vendors: vendors.groups,
    buyers: buyers.groups,
    sectorOf: sectors.of,
    add: sectors.add,
    move(task, window, by) {
      if (task.capability !== null) capabilities.move(task.capability, task, window, by);
      if (window !== 'day' && window !== 'month') return;
      moveTask(all, task, window, by);
      agents.move(task, window, by);
      vendors.move(task.vendor, task, window, by);
      if (task.counterparty !== null) buyers.move(task.counterparty, task, window, by);
    },
    arrive: capabilities.arrive,
  };
}

/** The sectors of capabilities. They are all that is left of receipts whose tasks have left all windows. */
function createSectors() {
  const named = new Map<string, { readonly sector: string; readonly recorded_ms: number; readonly hash: string }>();
  return {
    add({ task: { capability, sector, recorded_ms, hash } }: PublicReceipt): void {
      if (capability === null || sector === null) return;
      const first = named.get(capability);
      const naming = { sector, recorded_ms, hash };
      if (first === undefined || isRecordedBefore(naming, first)) named.set(capability, naming);
    },
    of: (capability: string): string => named.get(capability)?.sector ?? defaultSector,
  };
}

interface Party extends PartyGroup {
  readonly agents: Map<string, number>;
  readonly capabilities: Map<string, number>;
}

const noParty = (): Party => ({ ...noGroup(), agents: new Map(), capabilities: new Map() });

interface Parties {
  readonly groups: ReadonlyMap<string, PartyGroup>;
  move(name: string, task: Task, window: Window, by: 1 | -1): void;
}

function createParties(): Parties {
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

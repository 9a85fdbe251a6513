import { publicName } from '../../public-name.js';
import {
  addStatement,
  agentAgainst,
  type Case,
  type CaseFile,
  dependsOnReceipts,
  isConfirmed,
  stateOf,
} from '../disputes/case.js';
import { createCitations } from '../disputes/citations.js';
import { SetsByKey } from '../disputes/sets.js';
import { caseStatement } from '../disputes/statement.js';
import { addToTotals, type CaseTotals, noTotals } from '../disputes/totals.js';
import { byCodePoint } from '../numbers/lists.js';
import type { Fold } from './fold.js';
import { createHandles } from './handles.js';
import { addCount } from './sums.js';

/** The cases of all time. */
export interface Cases {
  readonly totals: Readonly<CaseTotals>;
  /** All cases, with the newest `opened_at` first. The list never changes; a later call gives another one. */
  inOrder(): readonly Case[];
  /** Case → the ids of the cases that cite it, in the order of code points. The map never changes. */
  citations(): ReadonlyMap<string, readonly string[]>;
  /** The number of open cases whose respondent has this name, whether they count or not. */
  openDisputes(name: string): number;
  /** The cases that count against this agent. */
  against(agent: string): Iterable<Case>;
  /** The agents against which a case counts. */
  agents(): Iterable<string>;
}

/** Its memory grows with the cases, and with the workspaces that state something about each. */
export function createCases(): Fold & Cases {
  const files = new Map<string, CaseFile>();
  const shown = new Map<string, Case>();
  const views = createViews();
  const handles = createHandles();
  const refresh = (id: string, file: CaseFile): void => {
    const [state, before] = [stateOf(file), shown.get(id)];
    const agent = agentAgainst(state, handles, isConfirmed(file, state));
    if (before?.state === state && before.agent === agent) return;
    const now = { id, state, agent };
    if (before) views.remove(before);
    shown.set(id, now);
    views.add(now);
  };
  return {
    ...views.read,
    add(receipt) {
      const { task } = receipt;
      if (handles.add(task)) {
        for (const id of views.idsOf(task.workspace, [task.handle, task.agent])) refresh(id, files.get(id) ?? []);
      }
      const found = caseStatement(receipt);
      if (found === null) return;
      const file = files.get(found.id) ?? [];
      files.set(found.id, file);
      addStatement(file, found.stated, task.recorded_ms);
      refresh(found.id, file);
    },
    arrive: (t) => handles.arrive(t),
  };
}

/** The views that are read. Each case is in all of them, and leaves them when it is replaced. */
function createViews() {
  const totals = noTotals();
  const [order, citations] = [createCaseOrder(), createCitations()];
  const [against, ofOwner] = [new SetsByKey<Case>(), new SetsByKey<string>()];
  const openByName = new Map<string, number>();
  const count = ({ state }: Case, by: 1 | -1): void => {
    addToTotals(totals, state, by);
    const name = publicName(state.respondent);
    if (state.status === 'open' && name !== null) addCount(openByName, name, by);
  };
  const read: Cases = {
    totals,
    inOrder: () => order.list(),
    citations: () => citations.sorted(),
    openDisputes: (name) => openByName.get(name) ?? 0,
    against: (agent) => against.of(agent),
    agents: () => against.keys(),
  };
  return {
    read,
    /** The cases of this owner against these respondents. */
    idsOf: (workspace: string, respondents: readonly string[]): string[] =>
      respondents.flatMap((respondent) => [...ofOwner.of(ownerKey(workspace, respondent))]),
    add(found: Case): void {
      const { id, state, agent } = found;
      count(found, 1);
      order.add(found);
      citations.add(found);
      if (agent !== null) against.add(agent, found);
      if (dependsOnReceipts(state.respondent)) ofOwner.add(ownerKey(state.workspace, state.respondent), id);
    },
    remove(found: Case): void {
      const { id, state, agent } = found;
      count(found, -1);
      order.remove(found);
      citations.remove(found);
      if (agent !== null) against.remove(agent, found);
      ofOwner.remove(ownerKey(state.workspace, state.respondent), id);
    },
  };
}

/** Tags of workspaces all have the same length. */
const ownerKey = (workspace: string, respondent: string): string => `${workspace} ${respondent}`;

/** The list of all cases with the newest `opened_at` first, then by id. */
interface CaseOrder {
  add(found: Case): void;
  remove(found: Case): void;
  /** The list that is returned never changes. */
  list(): readonly Case[];
}

/** Changes are collected until the list is read: then the work is one pass over the list and the sorting of the changes. */
function createCaseOrder(): CaseOrder {
  let list: readonly Case[] = [];
  const [added, removed] = [new Set<Case>(), new Set<Case>()];
  return {
    add: (found) => void added.add(found),
    remove(found) {
      if (!added.delete(found)) removed.add(found);
    },
    list() {
      if (added.size === 0 && removed.size === 0) return list;
      const rest = list.filter((one) => !removed.has(one));
      // The sort of the language finds the two sorted parts and merges them.
      list = [...rest, ...[...added].sort(newestFirst)].sort(newestFirst);
      added.clear();
      removed.clear();
      return list;
    },
  };
}

const newestFirst = (a: Case, b: Case): number => b.state.openedMs - a.state.openedMs || byCodePoint(a.id, b.id);

import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, chance } from './chance.js';
import { type Agent, type Capability, type Society, society, type Workspace } from './society.js';
import { type Statement, stories } from './statements.js';
import { type Receipt, task } from './task.js';

export interface HistoryOptions {
  readonly seed: number | string;
  readonly receipts: number;
  readonly workspaces: number;
  readonly days: number;
  /** The end of the last day. The same end, and the same other options, make the same receipts. */
  readonly untilMs: number;
}

export interface LiveOptions {
  readonly seed: number | string;
  readonly workspaces: number;
  /** How many seconds. */
  readonly live: number;
  /** Tasks a second. */
  readonly rate: number;
}

/** The receipts of one workspace and one day, in the order of their times. */
export interface DayOfWorkspace {
  readonly workspace: number;
  readonly day: number;
  readonly receipts: readonly Receipt[];
}

const dayMs = 24 * 3_600_000;
/** The share of receipts that say something about the market besides what was done. */
const statementShare = 0.15;

/** The receipts of an economy, day by day. Only one day is held in memory, and the statements that are still due. */
export function* history(options: HistoryOptions): Generator<DayOfWorkspace> {
  const { seed, workspaces, days, untilMs } = options;
  const people = society(seed, workspaces);
  const agenda = people.workspaces.map((): Statement[] => []);
  let made = 0;
  let stories = 0;
  for (let day = 0; day < days; day += 1) {
    const fromMs = untilMs - (days - day) * dayMs;
    const random = chance(seed, `day ${day}`);
    const goal = Math.round((options.receipts * (day + 1)) / days) - made;
    made += goal;
    const quotas = share(goal, people.workspaces.length);
    for (let due = 0; due < goal * statementShare; ) {
      const story = report(random, people, { id: `${seed}-${stories}`, fromMs, progress: day / days });
      stories += 1;
      for (const statement of story) agenda[statement.workspace]?.push(statement);
      due += story.length;
    }
    for (const workspace of people.workspaces) {
      const open = agenda[workspace.index] ?? [];
      const slot = { workspace, day, fromMs, endMs: Math.min(fromMs + dayMs, untilMs), progress: day / days, seed };
      yield { workspace: workspace.index, day, receipts: dayOf(slot, quotas[workspace.index] ?? 0, open) };
    }
  }
}

/** Tasks that end now: each is made when it is taken, so the taker decides how many a second there are. */
export async function* live({ seed, workspaces, rate, live: seconds }: LiveOptions): AsyncGenerator<DayOfWorkspace> {
  const people = society(seed, workspaces);
  // Another run of the same seed has other ids, because its tasks end at other times.
  const random = chance(seed, 'live');
  const run = Date.now().toString(36);
  for (let made = 0; made < seconds * rate; ) {
    await sleep(1000 / rate);
    const workspace = random.pick(people.workspaces);
    const endMs = Date.now();
    const slot = { workspace, day: 0, fromMs: endMs - 1000, endMs, progress: 0.5, seed };
    const nextId = () => {
      made += 1;
      return `${seed}-live-${run}-${made}`;
    };
    yield { workspace: workspace.index, day: 0, receipts: someWork(random, slot, 1, nextId) };
  }
}

/** Whole numbers with this sum, which differ by at most one. */
function share(sum: number, parts: number): number[] {
  return Array.from(
    { length: parts },
    (_, at) => Math.floor((sum * (at + 1)) / parts) - Math.floor((sum * at) / parts),
  );
}

function report(
  random: Chance,
  people: Society,
  { id, fromMs, progress }: { id: string; fromMs: number; progress: number },
): Statement[] {
  const workspace = random.pick(people.workspaces);
  const capability = random.pick(people.capabilities.filter((one) => isOffered(one, progress)));
  const atMs = Math.floor(fromMs + random.share() * dayMs * 0.9);
  return random
    .weighted(stories)({ random, society: people, workspace, capability, id, atMs })
    .map((statement) => ({ ...statement, atMs: Math.floor(statement.atMs) }));
}

interface Slot {
  readonly workspace: Workspace;
  readonly day: number;
  readonly fromMs: number;
  readonly endMs: number;
  readonly progress: number;
  readonly seed: number | string;
}

function dayOf(slot: Slot, quota: number, agenda: Statement[]): Receipt[] {
  const { workspace, day, fromMs, endMs, seed } = slot;
  const random = chance(seed, `workspace ${workspace.index} day ${day}`);
  // The order of an object's statements is that of their times, and of equal times that in which they were made.
  agenda.sort((a, b) => a.atMs - b.atMs);
  const due = agenda.findIndex(({ atMs }) => atMs >= endMs);
  const stated = agenda.splice(0, Math.min(quota, due < 0 ? agenda.length : due));
  let made = 0;
  const nextId = () => {
    made += 1;
    return `${seed}-${workspace.index}-${day}-${made}`;
  };
  const receipts = stated.map((statement) => {
    const agent = agentFor(random, workspace, statement.capability);
    const at = Math.max(statement.atMs, fromMs);
    const { capability, market } = statement;
    return task(random, { workspace, agent, capability, id: nextId(), endMs: at, market });
  });
  while (receipts.length < quota) receipts.push(...someWork(random, slot, quota - receipts.length, nextId));
  return receipts.sort((a, b) => (a.ended_at < b.ended_at ? -1 : a.ended_at > b.ended_at ? 1 : 0));
}

/** A single task, or an agent that has others work for it: nested spans of one trace. */
function someWork(random: Chance, slot: Slot, most: number, nextId: () => string): Receipt[] {
  const { workspace, fromMs, endMs } = slot;
  const agent = busyAgent(random, workspace);
  const capability = capabilityOf(random, agent, slot.progress);
  const at = Math.floor(fromMs + daytime(random) * (endMs - 1 - fromMs));
  const session = random.happens(0.5) ? `session-${random.hex(8)}` : undefined;
  const base = { workspace, agent, capability, ...(session === undefined ? {} : { session }) };
  if (most < 2 || random.happens(0.8)) {
    const trace = random.happens(0.5) ? { trace: { trace: random.hex(32), span: random.hex(16) } } : {};
    return [task(random, { ...base, ...trace, id: nextId(), endMs: at })];
  }
  const trace = random.hex(32);
  const spans = [random.hex(16)];
  const root = task(random, { ...base, id: nextId(), endMs: at, trace: { trace, span: spans[0] ?? '' } });
  const below = Array.from({ length: Math.min(most - 1, random.whole(1, 5)) }, () => {
    const helper = busyAgent(random, workspace);
    const span = random.hex(16);
    const parent = random.pick(spans);
    spans.push(span);
    const place = { trace, span, parent };
    const part = { workspace, agent: helper, capability: capabilityOf(random, helper, slot.progress) };
    return task(random, { ...part, id: nextId(), endMs: Math.max(fromMs, at - random.whole(0, 2000)), trace: place });
  });
  return [...below, root];
}

function busyAgent(random: Chance, { agents }: Workspace): Agent {
  return random.weighted(agents.map((agent) => [agent, agent.weight] as const));
}

/** An agent that offers the capability, else any. */
function agentFor(random: Chance, workspace: Workspace, capability: Capability): Agent {
  const able = workspace.agents.filter(({ capabilities }) => capabilities.includes(capability));
  return able.length > 0 ? random.pick(able) : busyAgent(random, workspace);
}

function capabilityOf(random: Chance, { capabilities }: Agent, progress: number): Capability {
  return random.pick(capabilities.filter((one) => isOffered(one, progress)));
}

function isOffered({ from, until }: Capability, progress: number): boolean {
  return from <= progress && progress < until;
}

/** A moment of the day: most of the work is done in its middle. */
function daytime(random: Chance): number {
  return random.happens(0.75) ? (random.share() + random.share()) / 2 : random.share();
}

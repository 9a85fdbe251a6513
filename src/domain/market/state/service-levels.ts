import { timeOf } from '../../../../contracts/instant.js';
import type { Fact } from '../fact.js';
import type { Statement } from '../statements.js';
import type { Fold } from './fold.js';
import { type Stated, statedIn } from './receipt.js';
import { addCount } from './sums.js';
import { monthMs } from './windows.js';

export type Sla = Extract<Statement, { type: 'sla' }>['said'];

/** The tasks of an agent and a capability that ended in [fromMs, toMs). */
export interface TaskRange {
  readonly agent: string;
  readonly capability: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** How many tasks of a range have this status and this latency. */
export interface TaskCount extends Pick<Fact, 'status' | 'latency_bucket'> {
  readonly tasks: number;
}

/** The tasks over which a service level is measured. */
export interface Measured {
  successes: number;
  failures: number;
  /** Bucket of the latency → number of tasks that were not refused. */
  readonly latencies: Map<number, number>;
}

/** A commitment of an agent. Its id means something only inside its workspace. */
export interface ServiceLevel {
  /** Its state. */
  readonly newest: Stated<Sla>;
  /** The tasks that it is about, in its period. They are those of the agent of its first statement. */
  readonly range: TaskRange;
}

export interface ServiceLevels extends Fold {
  /** Those whose period ends after t − 30 days. @param t not before that of an earlier call */
  at(t: number): readonly ServiceLevel[];
  /**
   * The ranges of history that figures at t need and that are not known: those of service levels that are new or changed.
   * Every one must be answered after all receipts up to t were added, and before figures are read.
   */
  wanted(t: number): readonly TaskRange[];
  /** @param counts of all public receipts of the range among those that were added, and of no others */
  answer(range: TaskRange, counts: Iterable<TaskCount>): void;
  /** @throws when the range of the service level is wanted still */
  measured(level: ServiceLevel): Measured;
}

/** One range whose tasks are counted. Service levels with equal periods share it. */
interface Period extends TaskRange {
  /** Null until its history was given. */
  measured: Measured | null;
}

interface Definition extends ServiceLevel {
  readonly firstSeq: number;
}

export function createServiceLevels(): ServiceLevels {
  const definitions = new Map<string, Definition>();
  const current = new Map<string, Definition>();
  const periods = createPeriods();
  const at = (t: number): Definition[] => {
    for (const [key, { range }] of current) if (range.toMs <= t - monthMs) current.delete(key);
    return [...current.values()];
  };
  return {
    at,
    wanted: (t) => periods.want(at(t).map(({ range }) => range)),
    answer(range, counts) {
      const measured = nothingMeasured();
      for (const { tasks, ...task } of counts) count(measured, task, tasks);
      periods.set(range, measured);
    },
    measured: ({ range }) => periods.get(range),
    add({ task, statements }) {
      if (task.capability !== null) {
        for (const { measured } of periods.with(task.agent, task.capability, task.ended_ms)) {
          if (measured !== null) count(measured, task, 1);
        }
      }
      for (const { type, said } of statements) {
        if (type !== 'sla') continue;
        const key = `${task.workspace} ${said.sla_id}`;
        const definition = withStatement(definitions.get(key), statedIn(task, said));
        definitions.set(key, definition);
        current.set(key, definition);
      }
    },
  };
}

/** The definition with one more statement of its workspace. */
function withStatement(known: Definition | undefined, stated: Stated<Sla>): Definition {
  const newest = known === undefined || stated.seq > known.newest.seq ? stated : known.newest;
  const isFirst = known === undefined || stated.seq < known.firstSeq;
  const { capability, period_start, period_end } = newest.said;
  const agent = isFirst ? stated.agent : known.range.agent;
  const range = { agent, capability, fromMs: timeOf(period_start), toMs: timeOf(period_end) };
  return { newest, range, firstSeq: isFirst ? stated.seq : known.firstSeq };
}

const nothingMeasured = (): Measured => ({ successes: 0, failures: 0, latencies: new Map() });

/** Refusals count neither for the rate of success nor for latencies. */
function count(measured: Measured, { status, latency_bucket }: Omit<TaskCount, 'tasks'>, tasks: number): void {
  if (status === 'tool_denied' || status === 'policy_blocked') return;
  if (status === 'success') measured.successes += tasks;
  else measured.failures += tasks;
  addCount(measured.latencies, latency_bucket, tasks);
}

/** The periods that figures need, by agent and capability. */
function createPeriods() {
  let known = new Map<string, Map<string, Period>>();
  const groupOf = ({ agent, capability }: Pick<TaskRange, 'agent' | 'capability'>) => `${agent} ${capability}`;
  const keyOf = ({ fromMs, toMs }: TaskRange) => `${fromMs} ${toMs}`;
  const find = (range: TaskRange) => known.get(groupOf(range))?.get(keyOf(range));
  return {
    /** Forgets all other ranges. @returns those of these that are not known */
    want(ranges: readonly TaskRange[]): TaskRange[] {
      const needed = new Map<string, Map<string, Period>>();
      for (const range of ranges) {
        const group = needed.get(groupOf(range)) ?? new Map<string, Period>();
        needed.set(groupOf(range), group);
        if (!group.has(keyOf(range))) group.set(keyOf(range), find(range) ?? { ...range, measured: null });
      }
      known = needed;
      return [...known.values()].flatMap((group) => [...group.values()].filter(({ measured }) => measured === null));
    },
    set(range: TaskRange, measured: Measured): void {
      const period = find(range);
      if (period !== undefined) period.measured = measured;
    },
    get(range: TaskRange): Measured {
      const measured = find(range)?.measured ?? null;
      if (measured === null) throw new Error(`The history of ${range.agent} and ${range.capability} was not given`);
      return measured;
    },
    /** The periods that contain a task. */
    with: (agent: string, capability: string, endedMs: number): Period[] =>
      [...(known.get(groupOf({ agent, capability }))?.values() ?? [])].filter(
        ({ fromMs, toMs }) => fromMs <= endedMs && endedMs < toMs,
      ),
  };
}

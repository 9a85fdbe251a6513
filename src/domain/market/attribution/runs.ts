import { byCodePoint } from '../numbers/lists.js';
import type { Fold } from '../state/fold.js';
import type { Task } from '../state/receipt.js';

/** A name under which a workspace runs tasks together. */
export interface Workflow {
  /** The tag of the workspace. */
  readonly tag: string;
  readonly name: string;
  /** The number of outcomes in all of its runs. */
  outcomes: number;
  /** By the id of the run, which is private. */
  readonly runs: Map<string, Run>;
}

/** The runs of workflows, made of their tasks of 30 days. */
export interface Runs extends Fold {
  /** Also workflows whose receipts state no outcome. */
  workflows(): Iterable<Workflow>;
}

export function createRuns(): Runs {
  const workflows = new Map<string, Workflow>();

  const move = (task: Task, name: string, id: string, by: 1 | -1) => {
    const key = `${task.workspace} ${name}`;
    const workflow = workflows.get(key) ?? { tag: task.workspace, name, outcomes: 0, runs: new Map<string, Run>() };
    const run = workflow.runs.get(id) ?? noRun();
    moveTask(run, task, by);
    if (task.outcome_value_micros !== null) workflow.outcomes += by;
    if (run.parts.size === 0) workflow.runs.delete(id);
    else workflow.runs.set(id, run);
    if (workflow.runs.size === 0) workflows.delete(key);
    else workflows.set(key, workflow);
  };

  return {
    add: () => undefined,
    move(task, window, by) {
      if (window === 'month' && task.workflow !== null && task.run !== null) move(task, task.workflow, task.run, by);
    },
    workflows: () => workflows.values(),
  };
}

/** The tasks of one agent in a run, and its part of the value of the run. Money is in millionths of a dollar. */
interface Part {
  tasks: number;
  successes: number;
  cost: bigint;
  /** As of the last call of `settle`. */
  share: bigint;
}

/** One run of a workflow: its tasks of 30 days. Money is in millionths of a dollar. */
export interface Run {
  /** By agent. */
  readonly parts: Map<string, Part>;
  successes: number;
  /** Tasks with the status partial or error. */
  failures: number;
  /** The sums of what its outcomes state. An outcome that was not accepted has the value 0. */
  value: bigint;
  baseline: bigint;
  costOfSuccesses: bigint;
  costOfOthers: bigint;
  /** The segments that it names, by the place of the receipt in its chain; null while it names none. */
  segments: Map<number, string> | null;
  /** Whether no task has come or gone since the shares were computed. */
  settled: boolean;
}

const noRun = (): Run => ({
  parts: new Map(),
  successes: 0,
  failures: 0,
  value: 0n,
  baseline: 0n,
  costOfSuccesses: 0n,
  costOfOthers: 0n,
  segments: null,
  settled: false,
});

/** Adds a task to a run, or takes it away. */
function moveTask(run: Run, task: Task, by: 1 | -1): void {
  run.settled = false;
  const cost = BigInt(by * (task.cost_micros ?? 0));
  movePart(run.parts, task, cost, by);
  if (task.status === 'success') {
    run.successes += by;
    run.costOfSuccesses += cost;
  } else {
    if (task.status === 'partial' || task.status === 'error') run.failures += by;
    run.costOfOthers += cost;
  }
  if (task.outcome_value_micros !== null) {
    if (task.outcome_accepted !== false) run.value += BigInt(by * task.outcome_value_micros);
    run.baseline += BigInt(by * (task.outcome_baseline_micros ?? 0));
  }
  if (task.segment !== null) moveSegment(run, task.seq, task.segment, by);
}

function moveSegment(run: Run, seq: number, segment: string, by: 1 | -1): void {
  const segments = run.segments ?? new Map<number, string>();
  if (by === 1) segments.set(seq, segment);
  else segments.delete(seq);
  run.segments = segments.size === 0 ? null : segments;
}

function movePart(parts: Map<string, Part>, { agent, status }: Task, cost: bigint, by: 1 | -1): void {
  const part = parts.get(agent) ?? { tasks: 0, successes: 0, cost: 0n, share: 0n };
  part.tasks += by;
  part.cost += cost;
  if (status === 'success') part.successes += by;
  if (part.tasks === 0) parts.delete(agent);
  else parts.set(agent, part);
}

/** The segment that a run names first, in the order of its chain; null where it names none. */
export function segmentOf({ segments }: Run): string | null {
  let [first, name]: [number, string | null] = [Number.POSITIVE_INFINITY, null];
  for (const [seq, segment] of segments ?? []) if (seq < first) [first, name] = [seq, segment];
  return name;
}

/**
 * Computes the Shapley values of a run: its value in equal parts among the agents that succeeded in it. What does not
 * divide is given in parts of one micro-dollar, one each, to the first agents by name. No agent gets anything where none
 * succeeded.
 */
export function settle(run: Run): void {
  if (run.settled) return;
  run.settled = true;
  const succeeded: [string, Part][] = [];
  for (const [agent, part] of run.parts) {
    part.share = 0n;
    if (part.successes > 0) succeeded.push([agent, part]);
  }
  if (succeeded.length === 0) return;
  const count = BigInt(succeeded.length);
  const [equal, rest] = [run.value / count, Number(run.value % count)];
  if (rest > 0) succeeded.sort(([a], [b]) => byCodePoint(a, b));
  succeeded.forEach(([, part], at) => {
    part.share = at < rest ? equal + 1n : equal;
  });
}

import { byAmountDown, byCodePoint, type Compare } from '../numbers/lists.js';
import { type Run, segmentOf, settle, type Workflow } from './runs.js';

/** The value of something and its costs, in millionths of a dollar. */
export interface Worth {
  value: bigint;
  cost: bigint;
}

interface WorkflowTotal extends Worth {
  readonly name: string;
  readonly tag: string;
  readonly runs: number;
  /** The number of agents with a task in its runs. */
  readonly agents: number;
  readonly successes: number;
  readonly failures: number;
}

interface SegmentTotal extends Worth {
  readonly name: string;
  runs: number;
}

/** The sums over the runs of all workflows of which a receipt of 30 days states an outcome. */
export interface Attribution {
  readonly all: Worth;
  readonly baseline: bigint;
  readonly costOfSuccesses: bigint;
  readonly costOfOthers: bigint;
  /** By agent. The sum of their values is smaller than that of all where no agent succeeded in a run. */
  readonly agents: readonly (readonly [string, Worth])[];
  readonly workflows: readonly WorkflowTotal[];
  readonly segments: readonly SegmentTotal[];
}

const noWorth = (): Worth => ({ value: 0n, cost: 0n });

/** Everything is in the order in which it is shown: by value, then by name. */
export function attributionOf(workflows: Iterable<Workflow>): Attribution {
  const all = { ...noWorth(), baseline: 0n, costOfSuccesses: 0n, costOfOthers: 0n };
  const agents = new Map<string, Worth>();
  const segments = new Map<string, SegmentTotal>();
  const rows: WorkflowTotal[] = [];
  for (const workflow of workflows) {
    if (workflow.outcomes === 0) continue;
    rows.push(totalOf(workflow));
    for (const run of workflow.runs.values()) {
      addWorth(all, run.value, costOf(run));
      all.baseline += run.baseline;
      all.costOfSuccesses += run.costOfSuccesses;
      all.costOfOthers += run.costOfOthers;
      addShares(agents, run);
      addSegment(segments, run);
    }
  }
  const byValue: Compare<Worth> = (a, b) => byAmountDown(a.value, b.value);
  const { baseline, costOfSuccesses, costOfOthers } = all;
  return {
    all,
    baseline,
    costOfSuccesses,
    costOfOthers,
    agents: [...agents].sort(([a, ofA], [b, ofB]) => byValue(ofA, ofB) || byCodePoint(a, b)),
    workflows: rows.sort((a, b) => byValue(a, b) || byCodePoint(a.name, b.name) || byCodePoint(a.tag, b.tag)),
    segments: [...segments.values()].sort((a, b) => byValue(a, b) || byCodePoint(a.name, b.name)),
  };
}

const costOf = ({ costOfSuccesses, costOfOthers }: Run): bigint => costOfSuccesses + costOfOthers;

function addWorth(sum: Worth, value: bigint, cost: bigint): void {
  sum.value += value;
  sum.cost += cost;
}

function totalOf({ name, tag, runs }: Workflow): WorkflowTotal {
  const sum = { ...noWorth(), successes: 0, failures: 0 };
  const agents = new Set<string>();
  for (const run of runs.values()) {
    addWorth(sum, run.value, costOf(run));
    sum.successes += run.successes;
    sum.failures += run.failures;
    for (const agent of run.parts.keys()) agents.add(agent);
  }
  return { name, tag, runs: runs.size, agents: agents.size, ...sum };
}

function addShares(agents: Map<string, Worth>, run: Run): void {
  settle(run);
  for (const [agent, { share, cost }] of run.parts) {
    const sum = agents.get(agent) ?? noWorth();
    agents.set(agent, sum);
    addWorth(sum, share, cost);
  }
}

function addSegment(segments: Map<string, SegmentTotal>, run: Run): void {
  const name = segmentOf(run);
  if (name === null) return;
  const sum = segments.get(name) ?? { name, runs: 0, ...noWorth() };
  segments.set(name, sum);
  sum.runs += 1;
  addWorth(sum, run.value, costOf(run));
}

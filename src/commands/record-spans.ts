import { Refusal } from '../../contracts/errors.js';
import type { OpenTrace } from '../../projections/spans/open-traces.js';
import { type ChangedTrace, openTraces, storeTraces, waitingBytes } from '../../projections/spans/open-traces.js';
import { knownTaskIds } from '../../projections/tasks/queries.js';
import { yieldToOthers } from '../base/steps.js';
import type { World } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import type { Caller } from '../domain/caller.js';
import type { ReadExport, TracePart } from '../domain/otlp/export.js';
import { type Plan, planTrace } from '../domain/otlp/plan.js';
import { receiptIdOf, receiptOf } from '../domain/otlp/receipt.js';
import { createRefusedSpans, type Refused, type RefusedSpans } from '../domain/otlp/refused.js';
import type { TraceNode } from '../domain/otlp/trace.js';
import { createQueue } from '../domain/queue.js';
import { patienceMs, waitAfterRace } from './lost-race.js';
import type { Run } from './run.js';
import { type SubmitTasks, type SubmittedReceipt, submitEach } from './submit-tasks.js';

interface SpanParts {
  readonly world: World;
  readonly submit: SubmitTasks;
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Spans in the name of a caller. */
interface SpansIn {
  /** The way into the ledger. */
  readonly run: Run;
  readonly caller: Caller;
  readonly traces: ReadExport['traces'];
  /** Whether nothing more is waited for. */
  readonly complete: boolean;
}

/**
 * Records the complete trees among the spans as task receipts, and stores all other spans until their root comes. What
 * it returns for is on disk: in the ledger, or among the stored spans.
 * @returns the spans that were refused
 * @throws Refusal when the caller may record nothing now, and rate_limited when too much waits
 */
export type RecordSpans = (spans: SpansIn) => Promise<RefusedSpans>;

/** How long a trace waits after its last span. */
const spansWaitMs = 10 * 60_000;
const mostWaitingBytes = { own: 32 * 1024 * 1024, all: 512 * 1024 * 1024 };
/** The number of traces that are read and stored together. */
const tracesAtOnce = 100;
/** After a trace whose text is longer, other work is let in between. A text of this length is read and planned in 2 ms. */
const longText = 64 * 1024;
/**
 * Only the bytes of exports are a limit, so that no workspace waits for another. Those of one workspace are recorded one after the
 * other: two exports with spans of one trace would each find the other's missing.
 */
const queueLimits = { atOnce: 10_000, heldBytes: 128 * 1024 * 1024, own: { atOnce: 1 } };

export function createRecordSpans(parts: SpanParts): RecordSpans {
  const queue = createQueue(queueLimits);
  return (spans) => {
    const bytes = spans.traces.reduce((sum, { part }) => sum + part.length, 0);
    return queue({ owner: spans.caller.workspaceId, bytes }, () => recordAll(parts, spans));
  };
}

async function recordAll(parts: SpanParts, { run, caller, traces, complete }: SpansIn): Promise<RefusedSpans> {
  const refused = createRefusedSpans();
  // Also without a receipt: a workspace that is paused stores no spans.
  await parts.submit(run, caller, []);
  for (let from = 0; from < traces.length; from += tracesAtOnce) {
    await recordGroup(parts, { run, caller, traces: traces.slice(from, from + tracesAtOnce), complete }, refused);
    await yieldToOthers();
  }
  return refused.spans();
}

interface Planned {
  readonly traceId: string;
  readonly revision: number;
  readonly plan: Plan;
}

async function recordGroup(parts: SpanParts, spans: SpansIn, refused: Refused): Promise<void> {
  const { world } = parts;
  const until = world.now().getTime() + patienceMs;
  // A race is lost when another process has stored spans of the same trace.
  for (let lost = 0; world.now().getTime() < until; lost += 1) {
    // The refusals of an attempt that is repeated do not count.
    const own = createRefusedSpans();
    const plans = await planGroup(parts, spans);
    for (const { plan } of plans) own.addAll(plan.refused);
    await recordTrees(parts, spans, plans, own);
    if (await storePlans(parts, spans.caller, plans)) {
      refused.addAll(own.spans());
      return;
    }
    await waitAfterRace(world, lost);
  }
  throw new Refusal('receipt_unavailable', 'Other processes keep storing spans of the same traces. Retry.');
}

async function planGroup({ read }: SpanParts, { caller, traces, complete }: SpansIn): Promise<Planned[]> {
  const { workspaceId } = caller;
  const [stored, waiting] = await read(async (tx) => [
    await openTraces(
      tx,
      workspaceId,
      traces.map(({ traceId }) => traceId),
    ),
    await waitingBytes(tx, workspaceId),
  ]);
  const isFull = waiting.own >= mostWaitingBytes.own || waiting.all >= mostWaitingBytes.all;
  const known = new Map(stored.map((trace) => [trace.trace_id, trace]));
  const planOf = (traceId: string, part: string, rootsRecorded: ReadonlySet<string>) =>
    plannedTrace({ traceId, part, before: known.get(traceId), complete, isFull, recorded: rootsRecorded });
  const planned: Planned[] = [];
  for (const { traceId, part } of traces) planned.push(await planOf(traceId, part, new Set()));
  const missing = planned.flatMap(({ traceId, plan }) => [...plan.missing].map((id) => receiptIdOf(traceId, id)));
  const recorded = missing.length === 0 ? [] : await read((tx) => knownTaskIds(tx, workspaceId, missing));
  if (recorded.length === 0) return planned;
  // A root whose trace is forgotten was recorded long ago: its children are late.
  const again: Planned[] = [];
  for (const [at, found] of planned.entries()) {
    const { traceId, plan } = found;
    const own = new Set([...plan.missing].filter((id) => recorded.includes(receiptIdOf(traceId, id))));
    again.push(own.size === 0 ? found : await planOf(traceId, traces[at]?.part ?? '', own));
  }
  return again;
}

interface ToPlan {
  readonly traceId: string;
  /** JSON of a TracePart. */
  readonly part: string;
  readonly before: OpenTrace | undefined;
  readonly complete: boolean;
  readonly isFull: boolean;
  readonly recorded: ReadonlySet<string>;
}

async function plannedTrace({ traceId, part, before, complete, isFull, recorded }: ToPlan): Promise<Planned> {
  const parsed: TracePart = JSON.parse(part);
  const stored: TraceNode[] = before ? JSON.parse(before.nodes) : [];
  const plan = planTrace({ traceId, stored, recorded }, parsed, { complete, isFull });
  if (part.length + (before?.nodes.length ?? 0) > longText) await yieldToOthers();
  return { traceId, revision: before?.revision ?? 0, plan };
}

/** Submits the receipts of the trees. One that is recorded already was sent again. */
async function recordTrees(
  { read, submit }: SpanParts,
  { run, caller }: SpansIn,
  plans: readonly Planned[],
  refused: Refused,
): Promise<void> {
  const receipts = plans.flatMap(({ traceId, plan }) =>
    plan.trees.map(({ root, spans }): SubmittedReceipt & { count: number } => ({
      id: receiptIdOf(traceId, root.id),
      receipt: receiptOf(traceId, root, spans),
      count: spans.filter(({ span }) => plan.arrived.has(span.id)).length,
    })),
  );
  const ids = receipts.map(({ id }) => id);
  const known = ids.length === 0 ? [] : await read((tx) => knownTaskIds(tx, caller.workspaceId, ids));
  const recorded = new Set(known);
  const fresh = receipts.filter(({ id }) => !recorded.has(id));
  await submitEach(
    (body) => submit(run, caller, body),
    fresh,
    ({ id, count }, reason) => refused.add(reason, id, count),
  );
}

/** @returns whether all traces were stored, which they are not when another process has changed one */
async function storePlans(
  { world, transaction }: SpanParts,
  caller: Caller,
  plans: readonly Planned[],
): Promise<boolean> {
  const changed = plans
    .filter(({ plan, revision }) => plan.nodes.length > 0 || revision > 0)
    .map(({ traceId, revision, plan }): ChangedTrace => {
      const nodes = JSON.stringify(plan.nodes);
      const waits = plan.nodes.some(({ span }) => span);
      return { traceId, revision, nodes, waitingBytes: waits ? nodes.length : 0 };
    });
  if (changed.length === 0) return true;
  const now = world.now();
  const times = { caller: JSON.stringify(caller), now, dueAt: new Date(now.getTime() + spansWaitMs) };
  const stored = await transaction((tx) => storeTraces(tx, caller.workspaceId, times, changed));
  return changed.every(({ traceId }) => stored.has(traceId));
}

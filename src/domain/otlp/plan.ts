import type { TracePart } from './export.js';
import { byStart, receiptIdOf } from './receipt.js';
import { createRefusedSpans, type Refused, type RefusedSpans } from './refused.js';
import type { GenAiSpan } from './span.js';
import { divide, type TraceNode, type Tree } from './trace.js';

/** The spans of one trace that may wait for their root. */
const mostWaiting = 1000;
/** The calls of tools in one receipt. */
const mostTools = 256;
/** The spans of one trace that are remembered only by their ids. */
const mostLinks = 2000;

/** A decision about the spans of a trace. */
export interface Plan {
  /** They become receipts now. */
  readonly trees: readonly Tree[];
  /** The parents that have not come yet. */
  readonly missing: ReadonlySet<string>;
  readonly refused: RefusedSpans;
  /** The ids of the spans that came now, so that those of a tree which cannot be recorded are counted. */
  readonly arrived: ReadonlySet<string>;
  /** The spans that the trace remembers once the receipts are recorded; none when it has no GenAI span. */
  readonly nodes: readonly TraceNode[];
}

interface Known {
  readonly traceId: string;
  /** The spans that the trace has remembered. */
  readonly stored: readonly TraceNode[];
  /** Spans that are the roots of recorded receipts, although the trace does not remember them. */
  readonly recorded: ReadonlySet<string>;
}

interface Patience {
  /** Whether nothing more is waited for. */
  readonly complete: boolean;
  /** Whether no further span may wait, because too many of other traces do. */
  readonly isFull: boolean;
}

/** Adds the spans that came to those that wait, and finds out which of them are complete trees. */
export function planTrace(
  { traceId, stored, recorded }: Known,
  part: TracePart,
  { complete, isFull }: Patience = { complete: false, isFull: false },
): Plan {
  const refused = createRefusedSpans();
  const nodes = new Map(stored.map((node) => [node.id, node]));
  for (const id of recorded) nodes.set(id, { id, parent: null, decided: true });
  const arrived = addArrived(nodes, part);
  const { trees, open, missing, late, circular } = divide(nodes, complete);
  const drop = (span: GenAiSpan, reason: string) => {
    nodes.delete(span.id);
    if (arrived.has(span.id)) refused.add(reason, receiptIdOf(traceId, span.id));
  };
  for (const span of late) drop(span, 'it came after the receipt of the span above it was recorded');
  for (const span of circular) if (arrived.has(span.id)) drop(span, 'its parents form a circle');
  for (const span of beyondLimits(open, arrived)) drop(span, 'too many spans of its trace wait for their root');
  for (const span of isFull ? open : []) if (arrived.has(span.id)) drop(span, 'too many spans wait for their root');
  const limited = trees.map((tree) => withFewTools(tree, traceId, arrived, refused));
  for (const { spans } of trees) {
    for (const { span } of spans) nodes.set(span.id, { id: span.id, parent: span.parent, decided: true });
  }
  return { trees: limited, missing, refused: refused.spans(), arrived, nodes: remembered([...nodes.values()]) };
}

/** @returns the ids of the GenAI spans that are new. One that is known already was sent again. */
function addArrived(nodes: Map<string, TraceNode>, { spans, links }: TracePart): Set<string> {
  const arrived = new Set<string>();
  for (const link of links) if (!nodes.has(link.id)) nodes.set(link.id, link);
  for (const span of spans) {
    const known = nodes.get(span.id);
    if (known?.span || known?.decided) continue;
    nodes.set(span.id, { id: span.id, parent: span.parent, span });
    arrived.add(span.id);
  }
  return arrived;
}

/** Those that came now are refused, never those that were accepted before. */
function beyondLimits(open: readonly GenAiSpan[], arrived: ReadonlySet<string>): GenAiSpan[] {
  let waiting = 0;
  let tools = 0;
  const olderFirst = [...open].sort((a, b) => Number(arrived.has(a.id)) - Number(arrived.has(b.id)) || byStart(a, b));
  return olderFirst.filter(({ tool }) => {
    if (waiting >= mostWaiting || (tool && tools >= mostTools)) return true;
    waiting += 1;
    tools += tool ? 1 : 0;
    return false;
  });
}

/** A receipt has a limit of calls of tools. Those that came now and are too many are left out and counted. */
function withFewTools(tree: Tree, traceId: string, arrived: ReadonlySet<string>, refused: Refused): Tree {
  const calls = tree.spans.map(({ span }) => span).filter(({ tool }) => tool);
  if (calls.length <= mostTools) return tree;
  const olderFirst = calls.sort((a, b) => Number(arrived.has(a.id)) - Number(arrived.has(b.id)) || byStart(a, b));
  const left = new Set(olderFirst.slice(mostTools));
  for (const { id } of left) refused.add(`a receipt has at most ${mostTools} calls of tools`, receiptIdOf(traceId, id));
  return {
    root: tree.root,
    spans: tree.spans.map(({ span, above }) => ({ span: left.has(span) ? withoutTool(span) : span, above })),
  };
}

function withoutTool({ tool: _left, ...span }: GenAiSpan): GenAiSpan {
  return span;
}

/** Links are useful only to a trace that has a GenAI span, and the newest ones most. */
function remembered(nodes: readonly TraceNode[]): readonly TraceNode[] {
  if (!nodes.some(({ span, decided }) => span || decided)) return [];
  const surplus = nodes.filter(({ span }) => !span).length - mostLinks;
  if (surplus <= 0) return nodes;
  let dropped = 0;
  return nodes.filter(({ span }) => {
    if (span || dropped >= surplus) return true;
    dropped += 1;
    return false;
  });
}

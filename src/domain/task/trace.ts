/** The members of a task receipt that say where it belongs in a trace. */
export interface Spanned {
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly parent_span_id: string | null;
}

/** Positions in the list that the tree was made from, in its order. */
export interface TraceTree {
  readonly roots: readonly number[];
  /** For each receipt the receipts below it. */
  readonly children: readonly (readonly number[])[];
}

/**
 * Makes a tree of receipts: each is below the first receipt of the same trace whose span is its parent span. A receipt is a
 * root when its parent is not in the list. Spans that are each other's parents would have no root, so the first receipt of
 * such a cycle is one. Every receipt is in the tree exactly once. Takes time linear in the number of receipts.
 */
export function traceTree(receipts: readonly Spanned[]): TraceTree {
  const parents = withoutCycles(parentsOf(receipts));
  const children: number[][] = receipts.map(() => []);
  const roots: number[] = [];
  for (const [at, parent] of parents.entries()) (children[parent] ?? roots).push(at);
  return { roots, children };
}

const none = -1;

function parentsOf(receipts: readonly Spanned[]): number[] {
  const bySpan = new Map<string, number>();
  const keyOf = (trace: string | null, span: string) => `${trace ?? ''} ${span}`;
  for (const [at, { trace_id, span_id }] of receipts.entries()) {
    if (span_id === null) continue;
    const key = keyOf(trace_id, span_id);
    if (!bySpan.has(key)) bySpan.set(key, at);
  }
  return receipts.map(({ trace_id, parent_span_id }) => {
    return parent_span_id === null ? none : (bySpan.get(keyOf(trace_id, parent_span_id)) ?? none);
  });
}

/** The same parents, but none for the first member of each cycle. */
function withoutCycles(given: readonly number[]): number[] {
  const parents = [...given];
  /** For each position the walk that has visited it. */
  const visitedBy = parents.map(() => none);
  for (const start of parents.keys()) {
    let at = start;
    while (visitedBy[at] === none) {
      visitedBy[at] = start;
      at = parents[at] ?? none;
    }
    // The walk has met itself, and not a root or an earlier walk.
    if (visitedBy[at] === start) parents[firstOfCycle(parents, at)] = none;
  }
  return parents;
}

function firstOfCycle(parents: readonly number[], member: number): number {
  let first = member;
  for (let at = parents[member] ?? none; at !== member; at = parents[at] ?? member) first = Math.min(first, at);
  return first;
}

/**
 * The JSON of a tree in parts: texts, and positions for which the receipts must be written. It does not recurse, because a
 * trace may be as deep as it is long.
 */
export function traceParts({ roots, children }: TraceTree): (string | number)[] {
  const written: (string | number)[] = [];
  const waiting: (string | Node)[] = [']', ...separated(roots), '['];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      written.push(next);
      continue;
    }
    written.push('{"receipt":', next.at, ',"children":[');
    waiting.push(']}', ...separated(children[next.at] ?? []));
  }
  return written;
}

/** A receipt that must be written with those below it. */
interface Node {
  readonly at: number;
}

/** Receipts with commas between them, the first one at the end, where it is taken from. */
function separated(positions: readonly number[]): (string | Node)[] {
  return positions.flatMap((at, index) => (index === 0 ? [{ at }] : [',', { at }])).reverse();
}

import type { SpanInTree } from './receipt.js';
import type { GenAiSpan, SpanLink } from './span.js';

/** A span as its trace remembers it: one that waits for its root, one that a receipt holds, or only a link. */
export interface TraceNode extends SpanLink {
  /** Of a span that waits. */
  readonly span?: GenAiSpan;
  /** Whether it was decided about: a receipt has it, or was refused with it. */
  readonly decided?: true;
}

/** A root span with all GenAI spans below it, itself among them. */
export interface Tree {
  readonly root: GenAiSpan;
  readonly spans: readonly SpanInTree[];
}

/** How a trace divides into trees. */
interface Divided {
  readonly trees: readonly Tree[];
  /** Spans whose root has not come yet. */
  readonly open: readonly GenAiSpan[];
  /** The parents that have not come yet. */
  readonly missing: ReadonlySet<string>;
  /** Spans below a span that was decided about before they came. */
  readonly late: readonly GenAiSpan[];
  /** Spans whose parents form a circle. */
  readonly circular: readonly GenAiSpan[];
}

/** Where the way up from a span ends, and which GenAI spans are on it. */
interface Way {
  readonly end: 'root' | 'open' | 'late' | 'circle';
  /** The highest GenAI span on the way. */
  readonly top: string | null;
  /** The nearest one, the span itself included. */
  readonly nearest: string | null;
  /** The parent that has not come; of an open end only. */
  readonly missing: string | null;
}

/**
 * Divides a trace into the trees of its GenAI spans. A root is a GenAI span with no GenAI span above it.
 * @param complete whether nothing more is waited for: then a span whose parent has not come is a root
 */
export function divide(nodes: ReadonlyMap<string, TraceNode>, complete: boolean): Divided {
  const wayOf = createWays(nodes);
  const trees = new Map<string, { root: GenAiSpan; spans: SpanInTree[] }>();
  const open: GenAiSpan[] = [];
  const missing = new Set<string>();
  const late: GenAiSpan[] = [];
  const circular: GenAiSpan[] = [];
  for (const { span, parent } of nodes.values()) {
    if (!span) continue;
    const way = wayOf(span.id);
    if (way.end === 'circle') circular.push(span);
    else if (way.end === 'late') late.push(span);
    else if (way.end === 'open' && !complete) {
      open.push(span);
      if (way.missing !== null) missing.add(way.missing);
    } else {
      const root = nodes.get(way.top ?? span.id)?.span ?? span;
      const tree = trees.get(root.id) ?? { root, spans: [] };
      const above = span === root || parent === null ? null : wayOf(parent).nearest;
      tree.spans.push({ span, above });
      trees.set(root.id, tree);
    }
  }
  return { trees: [...trees.values()], open, missing, late, circular };
}

/** Finds each way once, in time linear in the number of spans. */
function createWays(nodes: ReadonlyMap<string, TraceNode>): (id: string) => Way {
  const known = new Map<string, Way>();
  return (from) => {
    const path: TraceNode[] = [];
    const onPath = new Set<string>();
    let way: Way | undefined;
    for (let id: string | null = from; way === undefined; ) {
      const node: TraceNode | undefined = id === null ? undefined : nodes.get(id);
      if (id === null) way = ended('root');
      else if (known.has(id)) way = known.get(id);
      else if (onPath.has(id)) way = ended('circle');
      else if (!node) way = ended('open', id);
      else if (node.decided) way = ended('late');
      else {
        path.push(node);
        onPath.add(id);
        id = node.parent;
      }
    }
    for (const { id, span } of path.reverse()) {
      way = span ? { ...way, top: way.top ?? id, nearest: id } : way;
      known.set(id, way);
    }
    return way;
  };
}

function ended(end: Way['end'], missing: string | null = null): Way {
  return { end, top: null, nearest: null, missing };
}

import { knownOperations } from './attributes.js';
import type { GenAiSpan, TokenKind, Usage } from './span.js';

/** A GenAI span in the tree of its root. */
export interface SpanInTree {
  readonly span: GenAiSpan;
  /** The nearest GenAI span above it; null for the root. */
  readonly above: string | null;
}

/** The id of the receipt that a root span becomes, so that a span that is sent again is a duplicate. */
export function receiptIdOf(traceId: string, spanId: string): string {
  return `${traceId}-${spanId}`;
}

/**
 * The task receipt of a root span and of the GenAI spans below it.
 * @param spans the root and all others, each once
 */
export function receiptOf(traceId: string, root: GenAiSpan, spans: readonly SpanInTree[]): Record<string, unknown> {
  const inOrder = spans.map(({ span }) => span).sort(byStart);
  const model = root.model ?? inOrder.find((span) => span.usage && span.model !== undefined)?.model;
  const session = root.session ?? inOrder.find((span) => span.session !== undefined)?.session;
  const tools = inOrder.flatMap(({ tool }) => tool ?? []);
  const { tokens, costUsd } = sumOf(usages(root, spans));
  return {
    receipt_id: receiptIdOf(traceId, root.id),
    agent_handle: root.handle,
    platform: 'otel',
    ...(model === undefined ? {} : { model }),
    ...(session === undefined ? {} : { session_id: session }),
    trace_id: traceId,
    span_id: root.id,
    ...(root.parent === null ? {} : { parent_span_id: root.parent }),
    started_at: new Date(root.startMs).toISOString(),
    ended_at: new Date(root.endMs).toISOString(),
    status: root.status,
    ...(knownOperations.has(root.operation) ? { task_summary: root.operation } : {}),
    ...(tools.length === 0 ? {} : { tool_calls: tools }),
    ...(Object.keys(tokens).length === 0 ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  };
}

export function byStart(a: GenAiSpan, b: GenAiSpan): number {
  return a.startMs - b.startMs || (a.id < b.id ? -1 : 1);
}

/**
 * What the calls of models have used. Instrumentations of two layers describe the same call twice, one span inside the other,
 * so of two such spans only the outer one counts.
 */
function usages(root: GenAiSpan, spans: readonly SpanInTree[]): Usage[] {
  const below = new Map<string, GenAiSpan[]>();
  for (const { span, above } of spans) {
    if (above === null) continue;
    const children = below.get(above);
    if (children) children.push(span);
    else below.set(above, [span]);
  }
  const found: Usage[] = [];
  const open = [root];
  for (let span = open.pop(); span; span = open.pop()) {
    if (span.usage && statesAny(span.usage)) found.push(span.usage);
    else open.push(...(below.get(span.id) ?? []));
  }
  return found;
}

function statesAny({ tokens, costUsd }: Usage): boolean {
  return costUsd !== undefined || Object.keys(tokens).length > 0;
}

function sumOf(usages: readonly Usage[]): Usage {
  const tokens: Partial<Record<TokenKind, number>> = {};
  for (const usage of usages) {
    for (const kind of ['input', 'output', 'cache_read', 'cache_write'] as const) {
      const count = usage.tokens[kind];
      if (count !== undefined) tokens[kind] = (tokens[kind] ?? 0) + count;
    }
  }
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? []);
  const [first] = costs;
  if (first === undefined) return { tokens };
  // A sum of binary fractions has digits that no span states.
  const sum = Number(costs.reduce((total, cost) => total + cost, 0).toFixed(12));
  return { tokens, costUsd: costs.length === 1 ? first : sum };
}

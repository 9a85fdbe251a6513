/** Exports of spans as OTLP writes them in JSON, for tests. */

type Value = string | number | boolean | Value[] | Members;
interface Members {
  readonly [name: string]: Value;
}

export interface SpanIn {
  readonly trace?: string;
  readonly id: string;
  readonly parent?: string;
  readonly name?: string;
  /** Milliseconds after the start of the trace. */
  readonly at?: number;
  readonly ms?: number;
  readonly status?: number;
  readonly attributes?: Members;
}

export const traceId = '0af7651916cd43dd8448eb211c80319c';
export const startMs = Date.UTC(2026, 10, 22, 12);

/** A span id with this number. */
export const spanId = (number: number): string => number.toString(16).padStart(16, '0');

export function exportOf(spans: readonly SpanIn[], service = 'Travel service') {
  const resource = { attributes: attributes({ 'service.name': service }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'test' }, spans: spans.map(spanOf) }] }] };
}

function spanOf({
  trace = traceId,
  id,
  parent,
  name = 'span',
  at = 0,
  ms = 10,
  status,
  attributes: given = {},
}: SpanIn) {
  const from = BigInt(startMs + at) * 1_000_000n;
  return {
    traceId: trace,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    kind: 1,
    startTimeUnixNano: String(from),
    endTimeUnixNano: String(from + BigInt(ms) * 1_000_000n + 999_999n),
    attributes: attributes(given),
    ...(status === undefined ? {} : { status: { code: status } }),
  };
}

function attributes(given: Members) {
  return Object.entries(given).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: attributes(value) } };
}

export const agent = (more: object = {}) => ({ 'gen_ai.operation.name': 'invoke_agent', ...more });
export const chat = (more: object = {}) => ({ 'gen_ai.operation.name': 'chat', ...more });
export const tool = (name: string, more: object = {}) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  ...more,
});

import { createHash } from 'node:crypto';
import { canonical } from '../../verifier/canonical.js';
import {
  type Attributes,
  type AttributeValue,
  anyOf,
  namesGenAi,
  numberOf,
  operationOf,
  textOf,
  unclearOperation,
} from './attributes.js';
import { misunderstood } from './remarks.js';

/**
 * A span as OTLP describes it, with the attributes that are read. Ids are lowercase hex; no parent is an empty text or zeros. A time
 * that is missing is 0, and one that is no time is negative.
 */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly statusCode: number;
  readonly attributes: Attributes;
  readonly serviceName: string;
  /** The first member that the decoder did not understand, as the end of a sentence about the span. */
  readonly wrong?: string;
  /** The members that it was read without, or in another form. */
  readonly noted?: readonly string[];
}

/** The place of a span in its trace. */
export interface SpanLink {
  readonly id: string;
  readonly parent: string | null;
}

interface ToolCall {
  readonly tool: string;
  readonly ok: boolean;
  readonly input_hash?: string;
  readonly output_hash?: string;
  readonly latency_ms: number;
}

export type TokenKind = 'input' | 'output' | 'cache_read' | 'cache_write';

export interface Usage {
  readonly tokens: Readonly<Partial<Record<TokenKind, number>>>;
  readonly costUsd?: number;
}

/** The part of a GenAI span that a receipt needs: names, numbers and hashes, and none of its texts. */
export interface GenAiSpan extends SpanLink {
  readonly operation: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly status: 'success' | 'error' | 'tool_denied' | 'policy_blocked';
  readonly handle: string;
  readonly model?: string;
  readonly session?: string;
  readonly tool?: ToolCall;
  /** The usage of a call of a model. Other spans have none, because they repeat what the calls below them have used. */
  readonly usage?: Usage;
}

/** Numbers and names that a receipt is recorded without, because their values were not understood. */
type Remarks = { readonly remarks?: readonly string[] };

type ReadSpan =
  | ({ readonly traceId: string; readonly span: GenAiSpan } & Remarks)
  | ({ readonly traceId: string; readonly link: SpanLink; readonly looksLikeGenAi: boolean } & Remarks)
  | { readonly refused: string }
  | { readonly noSpan: true };

/** The operations that call a model. */
const callsOfModels = new Set(['chat', 'text_completion', 'generate_content', 'embeddings']);
const errorCode = 2;
const lastMs = 253_402_300_799_999;
/** Of all names of a span together, in UTF-16 code units. */
const nameLimit = 4096;

/** Earlier than OpenTelemetry: a number of seconds, milliseconds or microseconds where nanoseconds belong. */
const firstMs = Date.UTC(2000, 0, 1);

/** Reads a span: a GenAI span, the link of another one, or the reason why a GenAI span is refused. What has no ids is no span. */
export function readSpan(span: OtlpSpan): ReadSpan {
  const operation = operationOf(span.attributes);
  const wrong = span.wrong ?? unclearOperation(span.attributes);
  const { traceId, spanId } = span;
  // The specification of traces says that an id of zeros is none.
  const parent = /^0*$/.test(span.parentSpanId) ? null : span.parentSpanId;
  const fault = faultOfIds(span, parent);
  const link = { id: spanId, parent };
  const looksLikeGenAi = operation === undefined && namesGenAi(span.attributes);
  if (operation === undefined && (wrong === undefined || !looksLikeGenAi)) {
    if (fault !== undefined) return { noSpan: true };
    // Without attributes nothing says what the span is, and the fault may be the reason.
    const isUnclear = span.wrong !== undefined && span.attributes.size === 0;
    return { traceId, link, looksLikeGenAi, ...(isUnclear && { remarks: [`a span was not read: ${span.wrong}`] }) };
  }
  const refused = fault ?? faultOfTimes(span) ?? wrong;
  if (refused !== undefined || operation === undefined) return { refused: refused ?? 'it has no operation' };
  const read = genAiSpan(span, operation, link);
  const names = [read.operation, read.model, read.session, read.tool?.tool].join('');
  if (names.length > nameLimit) return { refused: `the names of a span have more than ${nameLimit} characters` };
  const remarks = [
    ...(span.noted ?? []),
    ...misunderstood(span.attributes, { isTool: read.tool !== undefined, hasUsage: read.usage !== undefined }),
  ];
  return { traceId, span: read, ...(remarks.length > 0 && { remarks }) };
}

function faultOfIds({ traceId, spanId }: OtlpSpan, parent: string | null): string | undefined {
  if (!isId(traceId, 32)) return 'a trace id is not 16 bytes, or is zero';
  if (!isId(spanId, 16)) return 'a span id is not 8 bytes, or is zero';
  if (parent !== null && !isId(parent, 16)) return 'the id of a parent is not 8 bytes';
  return parent === spanId ? 'a span is its own parent' : undefined;
}

function isId(text: string, digits: number): boolean {
  return text.length === digits && /^[0-9a-f]+$/.test(text) && !/^0+$/.test(text);
}

function faultOfTimes({ startNs, endNs }: OtlpSpan): string | undefined {
  for (const [name, time] of [
    ['start', startNs],
    ['end', endNs],
  ] as const) {
    if (time === 0n) return `a span has no ${name}`;
    if (time < 0n) return `the ${name} of a span is no number of nanoseconds`;
    if (milliseconds(time) < firstMs)
      return `the ${name} of a span is before the year 2000: times are nanoseconds since 1970`;
  }
  if (endNs < startNs) return 'a span ends before it starts';
  return milliseconds(endNs) > lastMs ? 'a span ends after the year 9999' : undefined;
}

function genAiSpan(span: OtlpSpan, operation: string, link: SpanLink): GenAiSpan {
  const { attributes, startNs, endNs, serviceName } = span;
  const model =
    textOf(attributes, 'model') ?? (operation === 'embeddings' ? textOf(attributes, 'embedder') : undefined);
  const session = textOf(attributes, 'session');
  const status = statusOf(span);
  return {
    ...link,
    operation,
    startMs: milliseconds(startNs),
    endMs: milliseconds(endNs),
    status,
    handle: handleOf(textOf(attributes, 'agent') ?? serviceName),
    ...(model === undefined ? {} : { model }),
    ...(session === undefined ? {} : { session }),
    ...(operation === 'execute_tool' ? { tool: toolCall(span, status === 'success') } : {}),
    ...(callsOfModels.has(operation) ? { usage: usageOf(attributes) } : {}),
  };
}

/** Milliseconds, with finer digits cut off. */
function milliseconds(ns: bigint): number {
  return Number(ns / 1_000_000n);
}

/** A platform that knows that a tool or a policy refused says so by the words of the statuses of receipts. */
function statusOf({ statusCode, attributes }: OtlpSpan): GenAiSpan['status'] {
  const error = textOf(attributes, 'error');
  if (error === 'tool_denied' || error === 'policy_blocked') return error;
  return statusCode === errorCode || error !== undefined ? 'error' : 'success';
}

function toolCall({ attributes, name, startNs, endNs }: OtlpSpan, ok: boolean): ToolCall {
  const input = anyOf(attributes, 'arguments');
  const output = anyOf(attributes, 'result');
  return {
    // The conventions name such a span so.
    tool: textOf(attributes, 'tool') ?? /^execute_tool (.+)$/.exec(name)?.[1] ?? 'unknown',
    ok,
    ...(input === undefined ? {} : { input_hash: hashOf(input) }),
    ...(output === undefined ? {} : { output_hash: hashOf(output) }),
    latency_ms: milliseconds(endNs - startNs),
  };
}

/** SHA-256 of a text in UTF-8, or of the canonical JSON (RFC 8785) of a value that is no text. */
function hashOf(value: AttributeValue): string {
  const text = typeof value === 'string' ? value : canonical(value);
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function usageOf(attributes: Attributes): Usage {
  const counted = (
    [
      ['input', 'input'],
      ['output', 'output'],
      ['cache_read', 'cacheRead'],
      ['cache_write', 'cacheWrite'],
    ] as const
  ).flatMap(([kind, name]) => {
    const count = numberOf(attributes, name);
    return count !== undefined && Number.isSafeInteger(count) ? [[kind, count] as const] : [];
  });
  const costUsd = numberOf(attributes, 'cost');
  return { tokens: Object.fromEntries(counted), ...(costUsd === undefined ? {} : { costUsd }) };
}

/** The handle of an agent that has only a name: what remains of the name, or a hash of it when too little remains. */
export function handleOf(agentName: string): string {
  const plain = agentName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32);
  if (plain.length >= 2) return `@${plain}`;
  return `@agent-${createHash('sha256').update(agentName, 'utf8').digest('hex').slice(0, 8)}`;
}

import { createHash } from 'node:crypto';
import { canonical } from '../../verifier/canonical.js';
import { type Attributes, type AttributeValue, anyOf, numberOf, operationOf, textOf } from './attributes.js';
import { handleOf } from './handle.js';

/** A span as OTLP describes it, with the attributes that are read. Ids are lowercase hex; no parent is an empty text. */
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

export type ReadSpan =
  | { readonly traceId: string; readonly span: GenAiSpan }
  | { readonly traceId: string; readonly link: SpanLink }
  | { readonly refused: string };

/** The operations that call a model. */
const callsOfModels = new Set(['chat', 'text_completion', 'generate_content', 'embeddings']);
const errorCode = 2;
const lastMs = 253_402_300_799_999;
/** Of all names of a span together, in UTF-16 code units. */
const nameLimit = 4096;

/** Reads a span: a GenAI span, the link of another one, or the reason why a GenAI span is refused. */
export function readSpan(span: OtlpSpan): ReadSpan | undefined {
  const operation = operationOf(span.attributes);
  const { traceId, spanId, parentSpanId } = span;
  const fault = faultOfIds(span);
  const link = { id: spanId, parent: parentSpanId === '' ? null : parentSpanId };
  if (operation === undefined) return fault === undefined ? { traceId, link } : undefined;
  const refused = fault ?? faultOfTimes(span);
  if (refused !== undefined) return { refused };
  const read = genAiSpan(span, operation, link);
  const names = [read.operation, read.model, read.session, read.tool?.tool].join('');
  return names.length > nameLimit
    ? { refused: `the names of a span have more than ${nameLimit} characters` }
    : { traceId, span: read };
}

function faultOfIds({ traceId, spanId, parentSpanId }: OtlpSpan): string | undefined {
  if (!isId(traceId, 32)) return 'a trace id is not 16 bytes, or is zero';
  if (!isId(spanId, 16)) return 'a span id is not 8 bytes, or is zero';
  if (parentSpanId !== '' && !isId(parentSpanId, 16)) return 'the id of a parent is not 8 bytes, or is zero';
  return parentSpanId === spanId ? 'a span is its own parent' : undefined;
}

function isId(text: string, digits: number): boolean {
  return text.length === digits && /^[0-9a-f]+$/.test(text) && !/^0+$/.test(text);
}

function faultOfTimes({ startNs, endNs }: OtlpSpan): string | undefined {
  if (endNs < startNs) return 'a span ends before it starts';
  return milliseconds(endNs) > lastMs ? 'a span ends after the year 9999' : undefined;
}

function genAiSpan(span: OtlpSpan, operation: string, link: SpanLink): GenAiSpan {
  const { attributes, startNs, endNs, serviceName } = span;
  const model = textOf(attributes, 'model');
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

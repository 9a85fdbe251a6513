import { outlineOf } from '../../domain/json-outline.js';
import { isObject } from '../../domain/json-text.js';
import { type AttributeValue, resourceAttributes, spanAttributes } from '../../domain/otlp/attributes.js';
import type { Collector } from '../../domain/otlp/export.js';
import type { OtlpSpan } from '../../domain/otlp/span.js';
import { shown, statusCodeOf, WrongMember } from '../../domain/otlp/status.js';
import { TooManyValues } from './too-many-values.js';

const bodyDepth = 64;
/** Lists and maps inside each other. A deeper value is left out. */
const maxDepth = 32;

/**
 * Reads an ExportTraceServiceRequest in the JSON encoding: ids in hex, integers of 64 bits as texts or numbers, unknown
 * members ignored.
 * @param mostValues of the whole body, counted before it is parsed: parsing them takes bounded time and memory
 * @throws TooManyValues, or Error with a sentence when the bytes are not such a message
 */
export function readJson(bytes: Uint8Array, collector: Collector, mostValues: number): void {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const outline = outlineOf(text, { depth: bodyDepth, values: mostValues, levels: 0 });
  if (outline.depth > bodyDepth) throw new Error(`it has more than ${bodyDepth} levels`);
  if (outline.values > mostValues) throw new TooManyValues(mostValues);
  if (outline.repeats) throw new Error('an object has the same key twice');
  const message: unknown = JSON.parse(text);
  if (!isObject(message)) throw new Error('it is not a JSON object');
  remarkOthers(message, 'resourceSpans', collector);
  for (const resourceSpans of objectsIn(message, 'resourceSpans')) readResourceSpans(resourceSpans, collector);
}

/**
 * OTLP allows receivers to ignore members that they do not know. But another member may have the spans, under a name of another version or
 * product, or logs and metrics, and ignoring it would lose them without a word.
 */
function remarkOthers(parent: Json, wanted: string, collector: Collector): void {
  const isThere = Array.isArray(parent[wanted]) && parent[wanted].length > 0;
  const others = Object.entries(parent).filter(([name]) => name !== wanted);
  for (const [name, value] of others) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const spans = spansIn(value);
    if (isThere && spans === 0) continue;
    collector.leaveOut(
      `nothing was read of the member ${shown(name)}; spans are in resourceSpans[].scopeSpans[].spans[]`,
      spans,
    );
  }
}

/** How many members of lists with the name spans there are at any depth. The values of the body are bounded. */
function spansIn(value: unknown): number {
  let found = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isObject(next)) {
      for (const [name, member] of Object.entries(next)) {
        if (name === 'spans' && Array.isArray(member)) found += member.length;
        else open.push(member ?? null);
      }
    }
  }
  return found;
}

type Json = Record<string, unknown>;

/** The objects of a list, which may be absent. */
function objectsIn(parent: Json, name: string): Json[] {
  const list = parent[name] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw new Error(`${name} is not a list of objects`);
  return list;
}

function readResourceSpans(resourceSpans: Json, collector: Collector): void {
  const { resource } = resourceSpans;
  const service = isObject(resource) ? attributesOf(resource, resourceAttributes, []).get('service.name') : undefined;
  const serviceName = typeof service === 'string' ? service : '';
  remarkOthers(resourceSpans, 'scopeSpans', collector);
  for (const scopeSpans of objectsIn(resourceSpans, 'scopeSpans')) {
    remarkOthers(scopeSpans, 'spans', collector);
    for (const span of objectsIn(scopeSpans, 'spans')) {
      if (collector.takesMore()) collector.add(readSpan(span, serviceName));
    }
  }
}

function readSpan(span: Json, serviceName: string): OtlpSpan {
  const { name } = span;
  const wrong: string[] = [];
  const attributes = attributesOf(span, spanAttributes, wrong);
  const statusCode = statusOf(span.status, wrong);
  return {
    traceId: idOf(span.traceId),
    spanId: idOf(span.spanId),
    parentSpanId: idOf(span.parentSpanId),
    name: typeof name === 'string' ? name : '',
    startNs: nanoseconds(span.startTimeUnixNano),
    endNs: nanoseconds(span.endTimeUnixNano),
    statusCode,
    attributes,
    serviceName,
    ...(wrong[0] !== undefined && { wrong: wrong[0] }),
  };
}

function statusOf(status: unknown, wrong: string[]): number {
  if (status === undefined || status === null) return 0;
  try {
    if (isObject(status)) return statusCodeOf(status.code);
    throw new WrongMember(`its status is ${shown(status)}, and no object with a code`);
  } catch (error) {
    if (!(error instanceof WrongMember)) throw error;
    wrong.push(error.message);
    return 0;
  }
}

/** An absent id is empty, and one that is no text is wrong like one of another length. */
function idOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value.slice(0, 64).toLowerCase() : '?';
}

/** A value that is no time becomes one before all others, so that the span is refused. */
function nanoseconds(value: unknown): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value);
  if (typeof value === 'number' && value >= 0 && value < 2 ** 64) return BigInt(Math.trunc(value));
  return value === undefined || value === null ? 0n : -1n;
}

/** @param wrong where the first attribute that cannot be read is named */
function attributesOf(parent: Json, wanted: ReadonlySet<string>, wrong: string[]): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const { key, value } of objectsIn(parent, 'attributes')) {
    if (typeof key !== 'string' || !wanted.has(key)) continue;
    if (!isKnownValue(value)) wrong.push(`${key} has a value that OTLP does not have: ${shown(value)}`);
    attributes.set(key, readValue(value, maxDepth));
  }
  return attributes;
}

const valueTypes = ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'];

/** A value is empty, or has one of the members of OTLP. Its own type is checked where it is read. */
function isKnownValue(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (!isObject(value)) return false;
  const given = Object.keys(value).filter((name) => value[name] !== null);
  return given.length === 0 || given.some((name) => valueTypes.includes(name));
}

function readValue(value: unknown, depth: number): AttributeValue {
  if (!isObject(value) || depth === 0) return null;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (typeof stringValue === 'string') return stringValue.toWellFormed();
  if (typeof boolValue === 'boolean') return boolValue;
  if (intValue !== undefined) return integer(intValue);
  if (doubleValue !== undefined) return double(doubleValue);
  if (isObject(arrayValue)) return objectsIn(arrayValue, 'values').map((item) => readValue(item, depth - 1));
  if (isObject(kvlistValue)) {
    const members = objectsIn(kvlistValue, 'values');
    return Object.fromEntries(
      members.map((item) => [String(item.key).toWellFormed(), readValue(item.value, depth - 1)]),
    );
  }
  return typeof bytesValue === 'string' ? bytesValue : null;
}

/** A value that is no integer stays as it was sent, so that a reader of numbers sees that it is none. */
function integer(value: unknown): AttributeValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'string') return typeof value === 'boolean' ? value : null;
  return /^-?\d{1,19}$/.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function double(value: unknown): AttributeValue {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  // NaN and the infinities are values of OTLP, and none of JSON.
  return typeof number === 'number' ? (Number.isFinite(number) ? number : String(value)) : null;
}

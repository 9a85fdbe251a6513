import { outlineOf } from '../../domain/json-outline.js';
import { isObject } from '../../domain/json-text.js';
import { type AttributeValue, resourceAttributes, spanAttributes } from '../../domain/otlp/attributes.js';
import type { Collector } from '../../domain/otlp/export.js';
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
  for (const resourceSpans of objectsIn(message, 'resourceSpans')) readResourceSpans(resourceSpans, collector);
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
  const service = isObject(resource) ? attributesOf(resource, resourceAttributes).get('service.name') : undefined;
  const serviceName = typeof service === 'string' ? service : '';
  for (const scopeSpans of objectsIn(resourceSpans, 'scopeSpans')) {
    for (const span of objectsIn(scopeSpans, 'spans')) {
      if (collector.takesMore()) collector.add(readSpan(span, serviceName));
    }
  }
}

function readSpan(span: Json, serviceName: string) {
  const { status, name } = span;
  return {
    traceId: idOf(span.traceId),
    spanId: idOf(span.spanId),
    parentSpanId: idOf(span.parentSpanId),
    name: typeof name === 'string' ? name : '',
    startNs: nanoseconds(span.startTimeUnixNano),
    endNs: nanoseconds(span.endTimeUnixNano),
    statusCode: isObject(status) && typeof status.code === 'number' ? status.code : 0,
    attributes: attributesOf(span, spanAttributes),
    serviceName,
  };
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

function attributesOf(parent: Json, wanted: ReadonlySet<string>): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const { key, value } of objectsIn(parent, 'attributes')) {
    if (typeof key === 'string' && wanted.has(key)) attributes.set(key, readValue(value, maxDepth));
  }
  return attributes;
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

function integer(value: unknown): AttributeValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return null;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function double(value: unknown): AttributeValue {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

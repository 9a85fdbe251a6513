import { outlineOf } from '../../base/json-outline.js';
import { isObject } from '../../base/json-text.js';
import { resourceAttributes, serviceNameOf, spanAttributes } from '../../domain/otlp/attributes.js';
import type { Collector } from '../../domain/otlp/export.js';
import { createFaults, type Faults, misspelt, shown, statusCodeOf, WrongMember } from '../../domain/otlp/faults.js';
import type { OtlpSpan } from '../../domain/otlp/span.js';
import { attributesOf, type Json, objectsIn } from './json-value.js';
import { TooManyValues } from './too-many-values.js';

const bodyDepth = 64;

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
    if (!mayHaveSpans(value)) continue;
    const spans = spansIn(value);
    if (spans === 0 && (isThere || (!Array.isArray(value) && wanted !== 'resourceSpans'))) continue;
    collector.leaveOut(
      `nothing was read of the member ${shown(name)}; spans are in resourceSpans[].scopeSpans[].spans[]`,
      spans,
    );
  }
}

function mayHaveSpans(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
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

function readResourceSpans(resourceSpans: Json, collector: Collector): void {
  remarkOthers(resourceSpans, 'scopeSpans', collector);
  const serviceName = serviceOf(resourceSpans, collector);
  for (const scopeSpans of objectsIn(resourceSpans, 'scopeSpans')) {
    remarkOthers(scopeSpans, 'spans', collector);
    for (const span of objectsIn(scopeSpans, 'spans')) {
      if (collector.takesMore()) collector.add(readSpan(span, serviceName));
    }
  }
}

/** The name of the service, which names the agents that have no name. Faults of it are remarks, as its spans can be read. */
function serviceOf(resourceSpans: Json, collector: Collector): string {
  const { resource } = resourceSpans;
  const spelling = misspelt(resourceSpans, ['resource', 'scopeSpans', 'schemaUrl']);
  if (spelling !== undefined) collector.leaveOut(`a resource was not read: ${spelling}`, 0);
  if (resource === undefined || resource === null) return '';
  const faults = createFaults();
  if (!isObject(resource)) {
    collector.leaveOut(`a resource was not read: it is ${shown(resource)}`, 0);
    return '';
  }
  addSpelling(faults, resource, ['attributes', 'droppedAttributesCount', 'entityRefs']);
  const service = serviceNameOf(attributesOf(resource, resourceAttributes, faults), faults);
  const { wrong, noted = [] } = faults.found();
  for (const fault of [...(wrong === undefined ? [] : [wrong]), ...noted]) {
    collector.leaveOut(`a resource was not read as a whole: ${fault}`, 0);
  }
  return service;
}

function addSpelling(faults: Faults, ...given: Parameters<typeof misspelt>): void {
  const spelling = misspelt(...given);
  if (spelling !== undefined) faults.add(spelling);
}

const members = [
  ...[
    'traceId',
    'spanId',
    'parentSpanId',
    'name',
    'kind',
    'startTimeUnixNano',
    'endTimeUnixNano',
    'attributes',
    'status',
  ],
  ...['traceState', 'flags', 'events', 'links', 'droppedAttributesCount', 'droppedEventsCount', 'droppedLinksCount'],
];

function readSpan(span: Json, serviceName: string): OtlpSpan {
  const { name } = span;
  const faults = createFaults();
  addSpelling(faults, span, members, { parentid: 'parentSpanId', parent: 'parentSpanId' });
  const attributes = attributesOf(span, spanAttributes, faults);
  let statusCode = 0;
  faults.attempt(() => {
    statusCode = statusOf(span.status);
  });
  if (typeof (name ?? '') !== 'string') faults.note(`its name is ${shown(name)}, which is no name`);
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
    ...faults.found(),
  };
}

/** @throws WrongMember */
function statusOf(status: unknown): number {
  if (status === undefined || status === null) return 0;
  if (!isObject(status)) throw new WrongMember(`its status is ${shown(status)}, and no object with a code`);
  const { code, message: _, ...others } = status;
  const [other] = Object.keys(others);
  if (code === undefined && other !== undefined) {
    throw new WrongMember(`its status has no code, but ${shown(other)}`);
  }
  return statusCodeOf(code);
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

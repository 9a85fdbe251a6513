import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type AttributeValue,
  resourceAttributes,
  serviceNameOf,
  spanAttributes,
} from '../../domain/otlp/attributes.js';
import type { Collector } from '../../domain/otlp/export.js';
import { createFaults, type Faults, statusCodeOf, WrongMember } from '../../domain/otlp/faults.js';
import type { OtlpSpan } from '../../domain/otlp/span.js';
import { TooManyValues } from './too-many-values.js';
import { attributeOf, type FieldsOf, textOf } from './wire-value.js';

/**
 * Reads an ExportTraceServiceRequest in the protobuf encoding. The numbers of fields are those of the definitions of OTLP 1;
 * fields that are not needed are skipped.
 * @param mostValues of the whole body: its fields, and the fields of the messages in it that are read
 * @throws TooManyValues, or Error when the bytes are not such a message
 */
export function readProtobuf(bytes: Uint8Array, collector: Collector, mostValues: number): void {
  const fieldsOf = countedFields(mostValues);
  for (const [field, value] of fieldsOf(bytes)) {
    if (field === 1 && value instanceof Uint8Array) readResourceSpans(fieldsOf, value, collector);
  }
}

function countedFields(most: number): FieldsOf {
  let values = 0;
  return function* fieldsOf(bytes) {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      values += 1;
      if (values > most) throw new TooManyValues(most);
      const [field, type] = reader.tag();
      if (type === WireType.LengthDelimited) yield [field, reader.bytes(), type];
      else if (type === WireType.Varint) yield [field, BigInt(reader.int64()), type];
      else if (type === WireType.Bit64) yield [field, BigInt(reader.fixed64()), type];
      else {
        reader.skip(type, field);
        yield [field, null, type];
      }
    }
  };
}

/** The field of ResourceSpans that had the spans before OTLP 0.15. Its messages are like those of today's field 2. */
const formerScopes = 1000;

function readResourceSpans(fieldsOf: FieldsOf, bytes: Uint8Array, collector: Collector): void {
  const resource = new Map<string, AttributeValue>();
  const faults = createFaults();
  const scopes: Uint8Array[] = [];
  let formerSpans = 0;
  for (const [field, value] of fieldsOf(bytes)) {
    if (!(value instanceof Uint8Array)) continue;
    if (field === 1) readResource(fieldsOf, value, { resource, faults });
    // The resource may come after the spans.
    if (field === 2) scopes.push(value);
    if (field === formerScopes) for (const [inner] of fieldsOf(value)) formerSpans += inner === 2 ? 1 : 0;
  }
  if (formerSpans > 0) {
    collector.leaveOut(`nothing was read of the field ${formerScopes}, instrumentation_library_spans`, formerSpans);
  }
  const serviceName = serviceNameOf(resource, faults);
  const { wrong, noted = [] } = faults.found();
  for (const fault of [...(wrong === undefined ? [] : [wrong]), ...noted]) {
    collector.leaveOut(`a resource was not read as a whole: ${fault}`, 0);
  }
  for (const scope of scopes) {
    for (const [field, value] of fieldsOf(scope)) {
      if (field !== 2 || !(value instanceof Uint8Array)) continue;
      if (collector.takesMore()) collector.add(readSpan(fieldsOf, value, serviceName));
    }
  }
}

function readResource(
  fieldsOf: FieldsOf,
  bytes: Uint8Array,
  { resource, faults }: { readonly resource: Map<string, AttributeValue>; readonly faults: Faults },
): void {
  for (const [field, value] of fieldsOf(bytes)) {
    if (field === 1) addAttribute(fieldsOf, value, { attributes: resource, wanted: resourceAttributes, faults });
  }
}

/** The fields of a span that are read, by number. Another encoding of one of them is a fault, as it would be ignored. */
const lengthDelimited: ReadonlyMap<number, string> = new Map([
  [1, 'trace_id'],
  [2, 'span_id'],
  [4, 'parent_span_id'],
  [5, 'name'],
  [9, 'attributes'],
  [15, 'status'],
]);
const fixed: ReadonlyMap<number, string> = new Map([
  [7, 'start_time_unix_nano'],
  [8, 'end_time_unix_nano'],
]);

function readSpan(fieldsOf: FieldsOf, bytes: Uint8Array, serviceName: string): OtlpSpan {
  const attributes = new Map<string, AttributeValue>();
  const faults = createFaults();
  const span = { traceId: '', spanId: '', parentSpanId: '', name: '', startNs: 0n, endNs: 0n, statusCode: 0 };
  for (const [field, value, type] of fieldsOf(bytes)) {
    if (value instanceof Uint8Array) {
      if (field === 1) span.traceId = hexOf(value);
      else if (field === 2) span.spanId = hexOf(value);
      else if (field === 4) span.parentSpanId = hexOf(value);
      else if (field === 5)
        span.name = textOf(value, () => faults.note('its name is no UTF-8; wrong bytes became U+FFFD'));
      else if (field === 9) addAttribute(fieldsOf, value, { attributes, wanted: spanAttributes, faults });
      else if (field === 15) {
        faults.attempt(() => {
          span.statusCode = statusOf(fieldsOf, value);
        });
      }
    } else if (type === WireType.Bit64 && value !== null) {
      if (field === 7) span.startNs = value;
      if (field === 8) span.endNs = value;
    }
    const name = type === WireType.LengthDelimited ? fixed.get(field) : lengthDelimited.get(field);
    const isMistyped = name !== undefined || (fixed.has(field) && type !== WireType.Bit64);
    if (isMistyped) faults.add(`its ${name ?? fixed.get(field)} has the wire type ${type}`);
  }
  return { ...span, attributes, serviceName, ...faults.found() };
}

/** @throws WrongMember */
function statusOf(fieldsOf: FieldsOf, bytes: Uint8Array): number {
  let code = 0;
  for (const [field, value, type] of fieldsOf(bytes)) {
    if (field !== 3) continue;
    if (type !== WireType.Varint) throw new WrongMember(`the code of its status has the wire type ${type}`);
    code = Number(value);
  }
  return statusCodeOf(code);
}

/** An id that is too long is wrong, and its beginning suffices to show that. */
function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 32)).toString('hex');
}

/** Adds an attribute that is one of those that are wanted. One that cannot be read is named among the faults. */
function addAttribute(
  fieldsOf: FieldsOf,
  value: Uint8Array | bigint | null,
  into: {
    readonly attributes: Map<string, AttributeValue>;
    readonly wanted: ReadonlySet<string>;
    readonly faults: Faults;
  },
): void {
  const { attributes, wanted, faults } = into;
  faults.attempt(() => {
    const read = attributeOf(fieldsOf, value, { wanted, faults });
    if (read === undefined) return;
    if (attributes.has(read.key)) faults.note(`${read.key} is there twice, and the last one was read`);
    // An attribute that cannot be read still says what the span is about.
    attributes.set(read.key, null);
    attributes.set(read.key, read.read());
  });
}

/** An ExportTraceServiceResponse: empty when there is nothing to say. A message without refused spans is a warning (OTLP 1, partial success). */
export function protobufAnswer(rejectedSpans: number, errorMessage: string): Uint8Array {
  const writer = new BinaryWriter();
  if (rejectedSpans === 0 && errorMessage === '') return writer.finish();
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(rejectedSpans);
  writer.tag(2, WireType.LengthDelimited).string(errorMessage);
  return writer.join().finish();
}

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type AttributeValue, resourceAttributes, spanAttributes } from '../../domain/otlp/attributes.js';
import type { Collector } from '../../domain/otlp/export.js';
import type { OtlpSpan } from '../../domain/otlp/span.js';
import { statusCodeOf, WrongMember } from '../../domain/otlp/status.js';
import { TooManyValues } from './too-many-values.js';

/** Lists and maps inside each other. A deeper value is left out. */
const maxDepth = 32;

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

/** The fields of a message: bytes for texts and messages, and the bits of a number of 64 bits. @throws TooManyValues */
type FieldsOf = (bytes: Uint8Array) => Generator<readonly [number, Uint8Array | bigint]>;

function countedFields(most: number): FieldsOf {
  let values = 0;
  return function* fieldsOf(bytes) {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      values += 1;
      if (values > most) throw new TooManyValues(most);
      const [field, type] = reader.tag();
      if (type === WireType.LengthDelimited) yield [field, reader.bytes()];
      else if (type === WireType.Varint) yield [field, BigInt(reader.int64())];
      else if (type === WireType.Bit64) yield [field, BigInt(reader.fixed64())];
      else reader.skip(type, field);
    }
  };
}

function readResourceSpans(fieldsOf: FieldsOf, bytes: Uint8Array, collector: Collector): void {
  const resource = new Map<string, AttributeValue>();
  const scopes: Uint8Array[] = [];
  for (const [field, value] of fieldsOf(bytes)) {
    if (!(value instanceof Uint8Array)) continue;
    if (field === 1) readResource(fieldsOf, value, resource);
    // The resource may come after the spans.
    if (field === 2) scopes.push(value);
  }
  const service = resource.get('service.name');
  const serviceName = typeof service === 'string' ? service : '';
  for (const scope of scopes) {
    for (const [field, value] of fieldsOf(scope)) {
      if (field !== 2 || !(value instanceof Uint8Array)) continue;
      if (collector.takesMore()) collector.add(readSpan(fieldsOf, value, serviceName));
    }
  }
}

function readResource(fieldsOf: FieldsOf, bytes: Uint8Array, attributes: Map<string, AttributeValue>): void {
  for (const [field, value] of fieldsOf(bytes)) {
    if (field === 1 && value instanceof Uint8Array) addAttribute(fieldsOf, attributes, value, resourceAttributes);
  }
}

function readSpan(fieldsOf: FieldsOf, bytes: Uint8Array, serviceName: string): OtlpSpan {
  const attributes = new Map<string, AttributeValue>();
  const span = { traceId: '', spanId: '', parentSpanId: '', name: '', startNs: 0n, endNs: 0n };
  let status: Pick<OtlpSpan, 'statusCode' | 'wrong'> = { statusCode: 0 };
  for (const [field, value] of fieldsOf(bytes)) {
    if (typeof value === 'bigint') {
      if (field === 7) span.startNs = value;
      if (field === 8) span.endNs = value;
    } else if (field === 1) span.traceId = hexOf(value);
    else if (field === 2) span.spanId = hexOf(value);
    else if (field === 4) span.parentSpanId = hexOf(value);
    else if (field === 5) span.name = textOf(value);
    else if (field === 9) addAttribute(fieldsOf, attributes, value, spanAttributes);
    else if (field === 15) status = readStatus(fieldsOf, value);
  }
  return { ...span, ...status, attributes, serviceName };
}

function readStatus(fieldsOf: FieldsOf, bytes: Uint8Array): Pick<OtlpSpan, 'statusCode' | 'wrong'> {
  let code = 0;
  for (const [field, value] of fieldsOf(bytes)) if (field === 3 && typeof value === 'bigint') code = Number(value);
  try {
    return { statusCode: statusCodeOf(code) };
  } catch (error) {
    if (error instanceof WrongMember) return { statusCode: 0, wrong: error.message };
    throw error;
  }
}

/** An id that is too long is wrong, and its beginning suffices to show that. */
function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 32)).toString('hex');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Adds an attribute that is one of those that are wanted. */
function addAttribute(
  fieldsOf: FieldsOf,
  attributes: Map<string, AttributeValue>,
  bytes: Uint8Array,
  wanted: ReadonlySet<string>,
): void {
  const { key, value } = readKeyValue(fieldsOf, bytes);
  if (wanted.has(key)) attributes.set(key, readValue(fieldsOf, value, maxDepth));
}

function readKeyValue(fieldsOf: FieldsOf, bytes: Uint8Array): { key: string; value: Uint8Array } {
  const read: { key: string; value: Uint8Array } = { key: '', value: new Uint8Array() };
  for (const [field, value] of fieldsOf(bytes)) {
    if (!(value instanceof Uint8Array)) continue;
    if (field === 1) read.key = textOf(value);
    if (field === 2) read.value = value;
  }
  return read;
}

function readValue(fieldsOf: FieldsOf, bytes: Uint8Array, depth: number): AttributeValue {
  let read: AttributeValue = null;
  if (depth === 0) return read;
  for (const [field, value] of fieldsOf(bytes)) {
    if (typeof value === 'bigint') {
      if (field === 2) read = value !== 0n;
      if (field === 3) read = integer(value);
      if (field === 4) read = double(value);
    } else if (field === 1) read = textOf(value);
    else if (field === 5) read = readList(fieldsOf, value, depth - 1);
    else if (field === 6) read = readMap(fieldsOf, value, depth - 1);
    else if (field === 7) read = Buffer.from(value).toString('base64');
  }
  return read;
}

function readList(fieldsOf: FieldsOf, bytes: Uint8Array, depth: number): AttributeValue {
  const list: AttributeValue[] = [];
  for (const [field, value] of fieldsOf(bytes)) {
    if (field === 1 && value instanceof Uint8Array) list.push(readValue(fieldsOf, value, depth));
  }
  return list;
}

function readMap(fieldsOf: FieldsOf, bytes: Uint8Array, depth: number): AttributeValue {
  const members = new Map<string, AttributeValue>();
  for (const [field, value] of fieldsOf(bytes)) {
    if (field !== 1 || !(value instanceof Uint8Array)) continue;
    const member = readKeyValue(fieldsOf, value);
    members.set(member.key, readValue(fieldsOf, member.value, depth));
  }
  return Object.fromEntries(members);
}

function integer(value: bigint): AttributeValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The number of these bits. What is no JSON number is its name, which no reader of numbers takes. */
function double(bits: bigint): AttributeValue {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  const number = view.getFloat64(0);
  return Number.isFinite(number) ? number : String(number);
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

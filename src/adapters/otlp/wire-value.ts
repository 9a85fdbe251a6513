import { isUtf8 } from 'node:buffer';
import { WireType } from '@bufbuild/protobuf/wire';
import { type AttributeValue, hashedAttributes } from '../../domain/otlp/attributes.js';
import { type Faults, WrongMember } from '../../domain/otlp/faults.js';

/**
 * The fields of a message: bytes for texts and messages, the bits of a number of 64 bits, null for anything else.
 * @throws TooManyValues
 */
export type FieldsOf = (
  bytes: Uint8Array,
) => Generator<readonly [field: number, value: Uint8Array | bigint | null, type: WireType]>;

/** Lists and maps inside each other. */
const maxDepth = 32;

/** A text of a message. Bytes that are no UTF-8 become U+FFFD, and `bad` is called. */
export function textOf(bytes: Uint8Array, bad: () => void): string {
  if (!isUtf8(bytes)) bad();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/**
 * A KeyValue, if its key is one of those that are wanted. Reading its value throws WrongMember when it cannot be read.
 */
export function attributeOf(
  fieldsOf: FieldsOf,
  message: Uint8Array | bigint | null,
  { wanted, faults }: { readonly wanted: ReadonlySet<string>; readonly faults: Pick<Faults, 'note'> },
): { readonly key: string; read(): AttributeValue } | undefined {
  if (!(message instanceof Uint8Array)) return undefined;
  const { key, value } = keyValue(fieldsOf, message, () => undefined);
  if (!wanted.has(key)) return undefined;
  const reading: Reading = {
    fieldsOf,
    depth: maxDepth,
    takesBytes: hashedAttributes.has(key),
    wrong: (what) => new WrongMember(`${key} ${what}`),
    bad: () => faults.note(`${key} is no UTF-8; wrong bytes became U+FFFD`),
  };
  return { key, read: () => readValue(value, reading) };
}

interface Reading {
  readonly fieldsOf: FieldsOf;
  readonly depth: number;
  readonly takesBytes: boolean;
  /** The error to throw for a value that cannot be read. */
  wrong(what: string): WrongMember;
  /** Called for a text that is no UTF-8. */
  bad(): void;
}

function keyValue(fieldsOf: FieldsOf, bytes: Uint8Array, bad: () => void): { key: string; value: Uint8Array } {
  const read: { key: string; value: Uint8Array } = { key: '', value: new Uint8Array() };
  for (const [field, value] of fieldsOf(bytes)) {
    if (!(value instanceof Uint8Array)) continue;
    if (field === 1) read.key = textOf(value, bad);
    if (field === 2) read.value = value;
  }
  return read;
}

/** The wire types of the fields of AnyValue: text, bool, int, double, list, map, bytes. */
const typesOfValues: readonly (WireType | undefined)[] = [
  undefined,
  WireType.LengthDelimited,
  WireType.Varint,
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.LengthDelimited,
  WireType.LengthDelimited,
];

/** An AnyValue. Without a field it is empty, and of several the last counts, as the definition of protobuf says. */
function readValue(bytes: Uint8Array, reading: Reading): AttributeValue {
  let read: AttributeValue = null;
  if (reading.depth === 0) throw reading.wrong(`has more than ${maxDepth} levels`);
  for (const [field, value, type] of reading.fieldsOf(bytes)) {
    if (type !== typesOfValues[field] || value === null) {
      throw reading.wrong(`has a value that OTLP does not have: field ${field} with the wire type ${type}`);
    }
    read = typeof value === 'bigint' ? numberOf(field, value) : readBytes(field, value, reading);
  }
  return read;
}

function numberOf(field: number, value: bigint): AttributeValue {
  if (field === 2) return value !== 0n;
  return field === 3 ? integer(value) : double(value);
}

function readBytes(field: number, value: Uint8Array, reading: Reading): AttributeValue {
  const inner = { ...reading, depth: reading.depth - 1 };
  if (field === 1) return textOf(value, reading.bad);
  if (field === 5) return membersOf(value, reading).map((member) => readValue(member, inner));
  if (field === 6) {
    const members = membersOf(value, reading).map((member) => keyValue(reading.fieldsOf, member, reading.bad));
    return Object.fromEntries(members.map((member) => [member.key, readValue(member.value, inner)]));
  }
  if (!reading.takesBytes) throw reading.wrong('is bytes');
  return Buffer.from(value).toString('base64');
}

/** The items of a list or map. */
function membersOf(bytes: Uint8Array, { fieldsOf }: Reading): Uint8Array[] {
  return Array.from(fieldsOf(bytes)).flatMap(([field, value]) =>
    field === 1 && value instanceof Uint8Array ? [value] : [],
  );
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

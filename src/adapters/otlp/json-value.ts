import { isObject } from '../../base/json-text.js';
import { type AttributeValue, hashedAttributes } from '../../domain/otlp/attributes.js';
import { type Faults, misspelt, shown, WrongMember } from '../../domain/otlp/faults.js';

export type Json = Record<string, unknown>;

/** Lists and maps inside each other. */
const maxDepth = 32;

/** The objects of a list, which may be absent. */
export function objectsIn(parent: Json, name: string): Json[] {
  const list = parent[name] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw new Error(`${name} is not a list of objects`);
  return list;
}

/** The wanted attributes of an object. Those that cannot be read are named among the faults. */
export function attributesOf(parent: Json, wanted: ReadonlySet<string>, faults: Faults): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const attribute of objectsIn(parent, 'attributes')) {
    const { key, value } = attribute;
    if (typeof key !== 'string') {
      const spelling = misspelt(attribute, ['key', 'value']);
      faults.add(
        spelling === undefined ? `the key of an attribute is ${shown(key)}` : `an attribute is wrong: ${spelling}`,
      );
    } else if (wanted.has(key)) {
      faults.attempt(() => {
        const spelling = misspelt(attribute, ['key', 'value']);
        if (spelling !== undefined) throw new WrongMember(`${key} is wrong: ${spelling}`);
        if (attributes.has(key)) faults.note(`${key} is there twice, and the last one was read`);
        // An attribute that cannot be read still says what the span is about.
        attributes.set(key, null);
        attributes.set(key, readAttribute(key, value, faults));
      });
    }
  }
  return attributes;
}

function readAttribute(key: string, value: unknown, faults: Faults): AttributeValue {
  const isBytes = isObject(value) && (value.bytesValue ?? null) !== null;
  if (isBytes && !hashedAttributes.has(key)) throw new WrongMember(`${key} is bytes`);
  const wrong = () => new WrongMember(`${key} has a value that OTLP does not have: ${shown(value)}`);
  return readValue(value, {
    depth: maxDepth,
    wrong,
    halves: () => faults.note(`${key} has half a character, which became U+FFFD`),
  });
}

interface Reading {
  readonly depth: number;
  /** The error to throw for a value that cannot be read. */
  wrong(): WrongMember;
  /** Called for a text that has half of a surrogate pair. */
  halves(): void;
}

const typeNames = ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'];

/** A value without a member is empty. */
function readValue(value: unknown, reading: Reading): AttributeValue {
  if (value === undefined || value === null) return null;
  if (!isObject(value) || reading.depth === 0) throw reading.wrong();
  const given = Object.keys(value).filter((name) => value[name] !== null && value[name] !== undefined);
  const [type, second] = given.filter((name) => typeNames.includes(name));
  if (type === undefined && given.length === 0) return null;
  if (type === undefined || second !== undefined) throw reading.wrong();
  return readTyped(type, value[type], reading);
}

function readTyped(type: string, value: unknown, reading: Reading): AttributeValue {
  const inner = { ...reading, depth: reading.depth - 1 };
  if (type === 'boolValue' && typeof value === 'boolean') return value;
  if (type === 'bytesValue' && typeof value === 'string') return value;
  if (type === 'stringValue' && typeof value === 'string') return wellFormed(value, reading);
  if (typeof value === 'string' || typeof value === 'number') {
    const number = type === 'intValue' ? integer(value) : type === 'doubleValue' ? double(value) : undefined;
    if (number !== undefined) return number;
  }
  if (type === 'arrayValue' && isObject(value)) return membersOf(value, reading).map((item) => readValue(item, inner));
  if (type === 'kvlistValue' && isObject(value)) {
    const members = membersOf(value, reading).map(({ key, value: one }) => {
      if (typeof key !== 'string') throw reading.wrong();
      return [wellFormed(key, reading), readValue(one, inner)] as const;
    });
    return Object.fromEntries(members);
  }
  throw reading.wrong();
}

function membersOf(value: Json, reading: Reading): Json[] {
  const { values = [] } = value;
  if (!Array.isArray(values) || !values.every(isObject) || misspelt(value, ['values']) !== undefined)
    throw reading.wrong();
  return values;
}

function wellFormed(text: string, { halves }: Reading): string {
  if (text.isWellFormed()) return text;
  halves();
  return text.toWellFormed();
}

/** A value that is no integer of JSON stays a number or a text, so that a reader of numbers sees what it is. */
function integer(value: string | number): AttributeValue | undefined {
  if (typeof value === 'number') return value;
  if (!/^-?\d{1,40}$/.test(value)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** NaN and the infinities are values of OTLP, and none of JSON: they are their names. */
function double(value: string | number): AttributeValue | undefined {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

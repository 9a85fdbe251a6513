import { limits } from '../../../contracts/limits.js';
import { outlineOf, partsOf } from '../../base/json-outline.js';
import { isObject, parsedJson } from '../../base/json-text.js';
import type { Arguments, ObjectSchema, ValueSchema } from '../tool.js';

/** Texts that people read, which may be empty. An empty id or name is none. */
const mayBeEmpty = new Set(['client_ref', 'reason', 'task', 'chosen', 'content', 'summary']);

/**
 * The arguments as a model has meant them: null and an empty text for an optional argument are absent, `"5"` is 5, `"0.5"` 0.5 and `"true"` true, a
 * list or an object may be JSON text, with the same inside of it, and a date is the beginning of its day. Everything else stays as it
 * was sent, to the last character, and is checked afterwards.
 */
export function meantArguments(schema: ObjectSchema, { value, text }: Arguments): Arguments {
  const meant = objectOf(schema.properties, schema.required ?? [], { value, text });
  return meant === text ? { value, text } : { value: readObject(meant), text: meant };
}

/** A value, and its JSON text as it was sent. */
interface Written {
  readonly value: unknown;
  readonly text: string;
}

/** @returns the text of the object with its members as they were meant */
function objectOf(
  properties: Readonly<Record<string, ValueSchema>>,
  required: readonly string[],
  { value, text }: Written,
): string {
  if (!isObject(value)) return text;
  const members = partsOf(text, 1).map((part) => {
    const sent = text.slice(part.from, part.to);
    const wanted = Object.hasOwn(properties, part.name) ? properties[part.name] : undefined;
    if (wanted === undefined) return { name: part.name, sent, meant: sent };
    const isOptional = !required.includes(part.name) && !(value[part.name] === '' && mayBeEmpty.has(part.name));
    return {
      name: part.name,
      sent,
      meant: meantValue(wanted, isOptional, { value: value[part.name], text: sent }),
    };
  });
  if (members.every(({ sent, meant }) => sent === meant)) return text;
  const kept = members.filter(({ meant }) => meant !== null);
  return `{${kept.map(({ name, meant }) => `${JSON.stringify(name)}:${meant}`).join(',')}}`;
}

/** @returns the text of the value that was meant; null when it is absent */
function meantValue(schema: ValueSchema, isOptional: boolean, { value, text }: Written): string | null {
  if (isOptional && (value === null || value === '')) return null;
  if (typeof value === 'string') return textOf(schema, isOptional, value, text);
  if (schema.type === 'object' && schema.properties && isObject(value)) {
    const members = objectOf(schema.properties, [], { value, text });
    return isOptional && members === '{}' && text !== members ? null : members;
  }
  if (schema.type !== 'array' || !Array.isArray(value)) return text;
  // A list that is too long is refused, no matter what is in it.
  return value.length > (schema.maxItems ?? value.length) ? text : listOf(schema.items, isOptional, value, text);
}

function textOf(schema: ValueSchema, isOptional: boolean, value: string, sent: string): string | null {
  const given = value.trim();
  switch (schema.type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(given) ? String(Number(given)) : sent;
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(given) ? String(Number(given)) : sent;
    case 'boolean':
      return given === 'true' || given === 'false' ? given : sent;
    case 'array': {
      const list = jsonIn(given);
      return Array.isArray(list) ? meantValue(schema, isOptional, { value: list, text: given }) : sent;
    }
    case 'object': {
      const object = jsonIn(given);
      return isObject(object) ? meantValue(schema, isOptional, { value: object, text: given }) : sent;
    }
    case 'string':
      return schema.format === 'date-time' && /^\d{4}-\d\d-\d\d$/.test(given) ? `"${given}T00:00:00Z"` : sent;
  }
}

/**
 * The value of a JSON text that keeps to the limits of a message, whose count does not look into texts; undefined for any other, and for
 * a longer one than a model writes.
 */
function jsonIn(text: string): unknown {
  const { jsonDepth, jsonValues, contentBytes } = limits;
  if (text.length > contentBytes) return undefined;
  const { depth, values, repeats } = outlineOf(text, { depth: jsonDepth, values: jsonValues, levels: 0 });
  return depth > jsonDepth || values > jsonValues || repeats ? undefined : parsedJson(text);
}

/** Empty texts name nothing; a list of nothing else is absent. */
function listOf(items: ValueSchema, isOptional: boolean, value: readonly unknown[], sent: string): string | null {
  const parts = partsOf(sent, 1);
  const elements = parts.flatMap((part, at) => {
    const text = sent.slice(part.from, part.to);
    const meant = meantValue(items, items.type === 'string', { value: value[at], text });
    return meant === null ? [] : [meant];
  });
  if (elements.length === 0 && parts.length > 0 && isOptional) return null;
  const isAsSent = parts.every((part, at) => elements[at] === sent.slice(part.from, part.to));
  return isAsSent && elements.length === parts.length ? sent : `[${elements.join(',')}]`;
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}

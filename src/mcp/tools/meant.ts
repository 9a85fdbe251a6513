import { type Part, partsOf } from '../../base/json-outline.js';
import { isObject, parsedJson } from '../../base/json-text.js';
import type { Arguments, ObjectSchema, ValueSchema } from '../tool.js';

/** Texts that people read, which may be empty. An empty id or name is none. */
const mayBeEmpty = new Set(['client_ref', 'reason', 'task', 'chosen', 'content', 'summary']);

/** The arguments, the elements of a list among them, and the members of these. */
const levels = 3;

/**
 * The arguments as a model has meant them: null and an empty text for an optional argument are absent, `"5"` is 5, `"0.5"` 0.5 and `"true"` true, a
 * list or an object may be JSON text, and a date is the beginning of its day. Everything else stays as it was sent, to the last
 * character, and is checked afterwards.
 */
export function meantArguments(schema: ObjectSchema, { value, text }: Arguments): Arguments {
  const meant = objectOf(schema.properties, schema.required ?? [], { value, text, parts: partsOf(text, levels) });
  return meant === text ? { value, text } : { value: readObject(meant), text: meant };
}

/** A value, and where it is written. */
interface Written {
  readonly value: unknown;
  /** The text that the offsets of the parts are of. */
  readonly text: string;
  readonly parts: readonly Part[];
}

/** @returns the text of the object with its members as they were meant */
function objectOf(
  properties: Readonly<Record<string, ValueSchema>>,
  required: readonly string[],
  { value, text, parts }: Written,
): string {
  if (!isObject(value)) return text;
  const members = parts.map((part) => {
    const sent = text.slice(part.from, part.to);
    const wanted = Object.hasOwn(properties, part.name) ? properties[part.name] : undefined;
    if (wanted === undefined) return { name: part.name, sent, meant: sent };
    const isOptional = !required.includes(part.name) && !(value[part.name] === '' && mayBeEmpty.has(part.name));
    return {
      name: part.name,
      sent,
      meant: meantValue(wanted, isOptional, { value: value[part.name], text, parts: [part] }),
    };
  });
  if (members.every(({ sent, meant }) => sent === meant)) return text;
  const kept = members.filter(({ meant }) => meant !== null);
  return `{${kept.map(({ name, meant }) => `${JSON.stringify(name)}:${meant}`).join(',')}}`;
}

/** @returns the text of the value that was meant; null when it is absent */
function meantValue(schema: ValueSchema, isOptional: boolean, { value, text, parts: [part] }: Written): string | null {
  const sent = part ? text.slice(part.from, part.to) : 'null';
  if (isOptional && (value === null || value === '')) return null;
  if (typeof value === 'string') return textOf(schema, value, sent);
  if (schema.type === 'object' && schema.properties && isObject(value)) {
    const members = objectOf(schema.properties, [], { value, text: sent, parts: partsOf(sent, levels) });
    return isOptional && members === '{}' && sent !== members ? null : members;
  }
  return schema.type === 'array' && Array.isArray(value) ? listOf(schema.items, isOptional, value, sent) : sent;
}

function textOf(schema: ValueSchema, value: string, sent: string): string {
  const given = value.trim();
  switch (schema.type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(given) ? String(Number(given)) : sent;
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(given) ? String(Number(given)) : sent;
    case 'boolean':
      return given === 'true' || given === 'false' ? given : sent;
    case 'array':
      return Array.isArray(parsedJson(given)) ? given : sent;
    case 'object':
      return isObject(parsedJson(given)) ? given : sent;
    case 'string':
      return schema.format === 'date-time' && /^\d{4}-\d\d-\d\d$/.test(given) ? `"${given}T00:00:00Z"` : sent;
  }
}

/** Empty texts name nothing; a list of nothing else is absent. */
function listOf(items: ValueSchema, isOptional: boolean, value: readonly unknown[], sent: string): string | null {
  const parts = partsOf(sent, 1);
  const elements = parts.flatMap((part, at) => {
    const meant = meantValue(items, items.type === 'string', { value: value[at], text: sent, parts: [part] });
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

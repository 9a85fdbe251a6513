import { Refusal } from '../../contracts/errors.js';
import type { PartSize } from '../../contracts/input.js';
import { limits } from '../../contracts/limits.js';
import { type Outline, type OutlineLimits, outlineOf } from '../base/json-outline.js';
import { isObject, parsedJson } from '../base/json-text.js';

/** A parsed JSON object, with the text of each of its members. */
export interface JsonObject {
  readonly value: Readonly<Record<string, unknown>>;
  /**
   * Member name → the exact text of its value if that is an object or a list, so that numbers and key order are preserved.
   */
  readonly texts: ReadonlyMap<string, string>;
  readonly sizes: ReadonlyMap<string, PartSize>;
}

/** The reason why a text is refused. It can be sent between threads, which a Refusal cannot. */
export interface RefusedJson {
  readonly refused: string;
  /** The size of each member, if the text was refused because it has too many values. */
  readonly sizes: ReadonlyMap<string, PartSize>;
}

const bodyLimits: OutlineLimits = { depth: limits.jsonDepth, values: limits.jsonValues };

/**
 * Reads a JSON object strictly: no duplicate keys at any level, and no more levels and values than the limits allow.
 * Levels and values are counted before parsing, because parsing millions of values takes seconds. JSON.parse decides
 * whether a text is JSON.
 * @throws Refusal invalid_json
 */
export function readJsonObject(text: string, given: OutlineLimits = bodyLimits): JsonObject {
  const read = tryJsonObject(text, given);
  if ('refused' in read) throw new Refusal('invalid_json', read.refused);
  return read;
}

function tryJsonObject(text: string, given: OutlineLimits = bodyLimits): JsonObject | RefusedJson {
  const outline = outlineOf(text, given);
  if (outline.depth > given.depth) return refused(`The body is nested deeper than ${given.depth}.`);
  const tooMany = excess(outline, given);
  if (tooMany !== null) {
    return { refused: tooMany, sizes: /^\s*\{/.test(text) ? sizesOf(text, outline) : new Map() };
  }
  const value = parsedJson(text);
  if (value === undefined) return refused('The body is not JSON.');
  if (!isObject(value)) return refused('The body must be a JSON object.');
  // Parsers differ in which of two equal keys they use, so an auditor could read another value than the service.
  if (outline.repeats) return refused('The body has the same key twice in one object.');
  return { value, texts: textsOf(text, outline), sizes: sizesOf(text, outline) };
}

function excess({ values, parts }: Outline, given: OutlineLimits): string | null {
  if (values > given.values) return `The body has more than ${given.values} values.`;
  return parts.length > limits.jsonMembers ? `The body has more than ${limits.jsonMembers} members.` : null;
}

const refused = (why: string): RefusedJson => ({ refused: why, sizes: new Map() });

/** The sizes of the first members. If there are more, the first ones are enough to find an unknown member. */
function sizesOf(text: string, { parts }: Outline): Map<string, PartSize> {
  const first = parts.slice(0, limits.jsonMembers);
  return new Map(
    first.map(({ name, from, to, values }) => [name, { values, bytes: Buffer.byteLength(text.slice(from, to)) }]),
  );
}

/** A byte order mark at the beginning is left out, as some editors and systems write one (RFC 8259, 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The same for a text that is no body of a request, such as a value of a file.
 * @returns the reason as half a sentence where it is refused
 */
export function jsonObjectOrReason(text: string, given: OutlineLimits): JsonObject | string {
  const read = tryJsonObject(text, given);
  return 'refused' in read ? read.refused.replace(/^The body/, 'it').replace(/\.$/, '') : read;
}

export function tryJsonBytes(bytes: Uint8Array): JsonObject | RefusedJson {
  const text = utf8Text(bytes);
  return text === undefined ? refused('The body is not UTF-8.') : tryJsonObject(text);
}

/** @returns undefined for bytes that are not UTF-8 */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function textsOf(text: string, { parts }: Outline): Map<string, string> {
  const whole = parts.filter(({ from }) => text[from] === '{' || text[from] === '[');
  return new Map(whole.map(({ name, from, to }) => [name, text.slice(from, to)]));
}

import { fromUtf8 } from './bytes.js';
import { type Json, readJson } from './json.js';
import { Unreadable } from './unreadable.js';

/** Limits the recursion, so that a hostile value causes an error that can be caught, and no stack overflow. */
export const maxDepth = 200;

export class NotCanonical extends Error {
  override name = 'NotCanonical';
}

/**
 * The canonical text of `value` (RFC 8785, JCS): object keys are sorted by UTF-16 code units, numbers are written as
 * ECMAScript writes them, strings escape only what JSON requires, and there is no white space between the tokens.
 * JSON.stringify already writes numbers and strings in this way. An undefined property is left out, as JSON.stringify
 * does.
 * @throws NotCanonical for NaN, infinities, lone surrogates, values that JSON does not have, and more than 200 levels.
 */
export function canonical(value: unknown): string {
  return write(value, 0);
}

/** More values than any entry or leaf has. Sorting this number of names takes some hundredths of a second. */
const maxValues = 16_384;

/**
 * Reads bytes that are the canonical form of their value. All JSON that is hashed has this form.
 * @throws Unreadable for bytes that are not JSON, and for JSON in another form
 */
export function readCanonical(bytes: Uint8Array): Json {
  const value = readJson(bytes, { depth: maxDepth, values: maxValues });
  if (canonical(value) !== fromUtf8(bytes)) throw new Unreadable('JSON that is not in canonical form');
  return value;
}

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new NotCanonical(`deeper than ${maxDepth} levels`);
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NotCanonical(`${value} is not a JSON number`);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth + 1)).join(',')}]`;
      return writeObject(value, depth);
    default:
      throw new NotCanonical(`a ${typeof value} is not a JSON value`);
  }
}

function writeObject(value: object, depth: number): string {
  // Map, Date and the like would come out as an empty object: two different values with one hash.
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new NotCanonical('only plain objects have a canonical form');
  let members = '';
  // The default sort compares UTF-16 code units, which is the order of RFC 8785 section 3.2.3.
  for (const key of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${writeString(key)}:${write(member, depth + 1)}`;
  }
  return `{${members}}`;
}

/** ASCII without what JSON escapes. Nearly all names and most texts of an entry are of it. */
const asItIs = /^[ !#-[\]-~]*$/;

function writeString(text: string): string {
  if (asItIs.test(text)) return `"${text}"`;
  // JSON.stringify would write a lone surrogate as an escape, which has no UTF-8 encoding (I-JSON, RFC 7493).
  if (!text.isWellFormed()) throw new NotCanonical('a lone surrogate has no UTF-8 form');
  return JSON.stringify(text);
}

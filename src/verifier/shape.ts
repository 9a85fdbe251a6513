import { fromBase64, toUtf8 } from './bytes.js';
import type { Json, JsonObject } from './json.js';
import { hashLength } from './merkle.js';
import { attempt, Unreadable } from './unreadable.js';

/**
 * Readers of JSON values that must have a certain form. Each takes the value and its name in messages, and throws
 * Unreadable for a value of another form.
 */

/** Refuses unknown members, because a reader of a later version might believe that they were checked. */
export function object(
  value: Json | undefined,
  what: string,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject {
  const members = anyObject(value, what);
  for (const key of required) if (!Object.hasOwn(members, key)) throw new Unreadable(`${what} has no ${key}`);
  for (const key of Object.keys(members)) {
    if (!required.includes(key) && !optional.includes(key)) throw new Unreadable(`${what} ${unknownMember(key)}`);
  }
  return members;
}

/** The name is shown where it is a plain one: anything may be in a bundle. */
function unknownMember(name: string): string {
  const shown = /^[\w.-]{1,64}$/.test(name) ? ` ${name}` : '';
  return `has an unknown member${shown}: was it made by a newer version?`;
}

export function anyObject(value: Json | undefined, what: string): JsonObject {
  if (!isObject(value)) throw new Unreadable(`${what} is not an object`);
  return value;
}

/** A list of at most `most` items. */
export function list<T>(
  value: Json | undefined,
  what: string,
  most: number,
  read: (item: Json, what: string) => T,
): T[] {
  if (!isArray(value)) throw new Unreadable(`${what} is not a list`);
  if (value.length > most) throw new Unreadable(`${what} has more than ${most} items`);
  return value.map((item, at) => read(item, `item ${at} of ${what}`));
}

export function text(value: Json | undefined, what: string): string {
  if (typeof value !== 'string') throw new Unreadable(`${what} is not a text`);
  return value;
}

/** A text of at most `maxBytes` bytes as UTF-8. */
export function shortText(value: Json | undefined, what: string, maxBytes: number): string {
  const given = text(value, what);
  // A text has at least as many bytes as UTF-16 code units, so a text that is far too long is not encoded.
  if (given.length > maxBytes || toUtf8(given).length > maxBytes) {
    throw new Unreadable(`${what} has more than ${maxBytes} bytes`);
  }
  return given;
}

/** Null, or a text of at most `maxBytes` bytes as UTF-8. */
export function optionalText(value: Json | undefined, what: string, maxBytes: number): string | null {
  return value === null ? null : shortText(value, what, maxBytes);
}

/** An integer from 0 to 2^53 - 1. */
export function count(value: Json | undefined, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || Object.is(value, -0)) {
    throw new Unreadable(`${what} is not a whole number from 0 on`);
  }
  return value;
}

/** Base64 of at most `most` bytes. */
export function bytes(value: Json | undefined, what: string, most: number): Uint8Array {
  const encoded = text(value, what);
  const read = attempt(() => fromBase64(encoded));
  if (typeof read === 'string') throw new Unreadable(`${what} is ${read}`);
  if (read.length > most) throw new Unreadable(`${what} has more than ${most} bytes`);
  return read;
}

/** Base64 of exactly `length` bytes. */
export function exactBytes(value: Json | undefined, what: string, length: number): Uint8Array {
  const read = bytes(value, what, length);
  if (read.length !== length) throw new Unreadable(`${what} does not have ${length} bytes`);
  return read;
}

/** More hashes than any proof needs, because the number of leaves is a safe integer. */
const maxProof = 64;

export function proof(value: Json | undefined, what: string): Uint8Array[] {
  return list(value, what, maxProof, (item, name) => exactBytes(item, name, hashLength));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** `Array.isArray` does not narrow the type to a readonly array. */
function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * A time in UTC in the form of RFC 3339. It may name a day that does not exist: it is shown, and nothing is computed
 * from it.
 */
export function time(value: Json | undefined, what: string): string {
  const read = text(value, what);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(read)) throw new Unreadable(`${what} is not a time in UTC`);
  return read;
}

import { z } from 'zod';
import { limits } from './limits.js';

/** Text that PostgreSQL and UTF-8 can hold: well-formed Unicode without NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether every string in a JSON value, keys included, can be stored. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorableJson(member));
}

export const storableText = z.string().refine(isStorable, 'must be valid Unicode without NUL');

/** Whether a text can be the id of a run: 1 to 128 printable characters of ASCII. */
export function isRunId(text: unknown): text is string {
  return typeof text === 'string' && /^[\x20-\x7e]+$/.test(text) && text.length <= limits.runIdCharacters;
}

/** White space, controls, characters of format such as U+200B and U+FEFF, and blank letters of Hangul and Braille. */
const unseen = /^[\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** Whether a text has a character that can be seen. Without one, no word of it can be found. */
export const hasText = (text: string): boolean => !unseen.test(text);

/** An id or a name in a filter. An empty one would match nothing, which no caller can mean. */
export const filterText = storableText.min(1, 'must not be empty');

/** Whether a text has at most this number of code points. They are counted only where code units do not decide it. */
const hasAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most);

/** A text of at most this number of code points that can be stored. */
export const textOf = (most: number) =>
  z
    .string(`must be a string of at most ${most} characters`)
    .refine((text) => hasAtMost(text, most), `must have at most ${most} characters`)
    .refine(isStorable, 'must be valid Unicode without NUL');

/** Of code points, as a class of a regular expression. Written as escapes, which every engine reads alike. */
const controls = '\\u0000-\\u001f\\u007f-\\u009f';
/** Zero-width joiners are not among them, because they are parts of words and emoji. */
const invisible = '\\u00ad\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\uffff';

/** A text of 1 to this number of code points without control characters. */
export const shortText = (characters: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[^${controls}]{1,${characters}}$`, 'u'),
      `must have 1 to ${characters} characters and no control characters`,
    );

/** An id that a caller chooses: without control characters, line separators and invisible characters. */
export const printableId = z
  .string()
  .regex(
    new RegExp(`^[^${controls}${invisible}]{1,${limits.idCharacters}}$`, 'u'),
    `must have 1 to ${limits.idCharacters} printable characters`,
  );

/**
 * JSON without the key `__proto__` at any level. Records of zod drop that key, and what is dropped from a filter or a pattern
 * would match memories that the caller wanted to exclude.
 */
export const withoutPrototype = z.custom<unknown>(namesNoPrototype, 'must have no field with the name __proto__');

function namesNoPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return !Object.hasOwn(value, '__proto__') && Object.values(value).every(namesNoPrototype);
}

import { isStorable } from '../../../contracts/text.js';
import { isObject } from '../json-text.js';
import { type Issue, pathOf } from './refused.js';

/** The escapes of NUL and of halves of surrogate pairs. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;

/** Whether no string of a JSON text can have NUL or half of a surrogate pair. Only escapes can spell them in UTF-8. */
export function isSurelyStorable(text: string): boolean {
  return text.isWellFormed() && !suspicious.test(text);
}

/** The first string of a JSON value, keys included, that has NUL or half of a surrogate pair. */
export function faultOfStrings(value: unknown, path: readonly string[] = []): Issue | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : { path: pathOf(path), message };
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const here = [...path, key];
    const fault = isStorable(key) ? faultOfStrings(member, here) : { path: pathOf(here), message };
    if (fault) return fault;
  }
  return undefined;
}

const message = 'must be valid Unicode without NUL';

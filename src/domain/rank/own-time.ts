import { instantOf } from '../../../contracts/instant.js';

/** The members of the metadata of a memory that may say when it happened, the first one first. */
export const timeMembers = ['created_at', 'occurred_at', 'date'] as const;

const dateTime = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?)?$/;

/**
 * When a memory happened: the first of these texts that is a date or a date-time by ISO 8601, else when it was written. Without
 * an offset it is UTC.
 * @param texts the members of its metadata by `timeMembers`
 * @returns milliseconds since 1970
 */
export function ownTime(texts: readonly (string | null)[], written: number): number {
  const times = texts.flatMap((text) => {
    const [, date, minute = '00:00', second = ':00', offset = 'Z'] = dateTime.exec(text?.trim() ?? '') ?? [];
    return date === undefined ? [] : (instantOf(`${date}T${minute}${second}${offset}`)?.ms ?? []);
  });
  return times[0] ?? written;
}

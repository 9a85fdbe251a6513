import { z } from 'zod';

/** A moment that is named by an RFC 3339 date-time. */
interface Instant {
  /** Milliseconds since 1970. Finer digits are cut. */
  readonly ms: number;
  /** The digits after the milliseconds, without zeros at their end. */
  readonly finer: string;
}

const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const [yearOne, year10000] = [Date.parse('0001-01-01T00:00:00Z'), Date.UTC(10_000, 0)];

/**
 * Reads an RFC 3339 date-time with its offset. A day that the calendar does not have, a leap second, and a moment
 * outside the years 1 to 9999 of UTC are no instants here.
 */
export function instantOf(text: string): Instant | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] =
    form.exec(text) ?? [];
  if (year === undefined) return undefined;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (midnight === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  const ms = midnight + minutes * 60_000 + Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return ms >= yearOne && ms < year10000 ? { ms, finer: withoutZerosAtEnd(fraction.slice(3)) } : undefined;
}

/** Less than 0 if `a` is before `b`, and more than 0 if it is after `b`, to the last digit. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.ms !== b.ms) return a.ms - b.ms;
  return a.finer === b.finer ? 0 : a.finer < b.finer ? -1 : 1;
}

function midnightOf(year: number, month: number, day: number): number | undefined {
  // Date.UTC reads the years 0 to 99 as years of the twentieth century.
  const date = new Date(0);
  const ms = date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

/** A regular expression would take quadratic time for many zeros before another digit. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The form in which the service writes times. ECMAScript defines how it is read, which takes a third of the time of `instantOf`. */
const utcMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whole milliseconds since 1970 of a time that was checked when it was recorded. Finer digits are cut. */
export function timeOf(text: string): number {
  if (utcMilliseconds.test(text)) return Date.parse(text);
  const instant = instantOf(text);
  if (instant === undefined) throw new Error(`${text} is not a time`);
  return instant.ms;
}

/** RFC 3339 with what PostgreSQL has: years from 1, offsets below 16 hours. Digits below a nanosecond mean nothing to it. */
const inRange = /^(?!0000)\d{4}-[^.]+(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/;

const upperCase = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 date-time' })
  .refine(
    (text) => inRange.test(text),
    'must be a time in the years 0001 to 9999, with an offset below 16 hours and at most 9 digits after the second',
  );

/** A moment that callers name. RFC 3339 allows its letters in lower case. */
export const moment = z
  .string('must be an RFC 3339 date-time')
  .meta({ format: 'date-time' })
  .transform((text) =>
    text.replace(/^(\d{4}-\d\d-\d\d)t|z$/g, (_, day?: string) => (day === undefined ? 'Z' : `${day}T`)),
  )
  .pipe(upperCase);

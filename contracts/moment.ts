import { z } from 'zod';

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

import { z } from 'zod';

/** A number that a 64-bit float does not keep, such as 9007199254740993. */
export class ExactNumber {
  /** @param text its decimal form without an exponent, which is JSON and the only form of this number */
  constructor(readonly text: string) {}
}

/** A number of a filter: one that floats keep, or one that is compared by its digits. */
export const exactNumber = z
  .custom<number | ExactNumber>()
  .check(({ value, issues }) => {
    if (value instanceof ExactNumber || Number.isFinite(value)) return;
    issues.push({ code: 'invalid_type', expected: 'number', input: value });
  })
  .meta({ type: 'number' });

import { z } from 'zod';

/**
 * An object with any keys. A record of zod leaves out a member with the name `__proto__` and says nothing, so a condition
 * would be ignored. Such an object is refused here.
 */
export const recordOf = <V extends z.ZodType>(value: V) =>
  z.preprocess(
    (given, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
        context.addIssue({ code: 'custom', message: 'must not have the key __proto__' });
      }
      return given;
    },
    z.record(z.string(), value),
  );

/** A number of a pattern. Larger ones are not the numbers that were sent, because they are read as 64-bit floats. */
const comparedNumber = z
  .number()
  .min(-Number.MAX_SAFE_INTEGER, 'must not be below 1 − 2^53')
  .max(Number.MAX_SAFE_INTEGER, 'must not be above 2^53 − 1; larger numbers are compared only as text');

/** A value of a pattern, which is compared with a value of metadata as JSON.parse reads it. */
export const comparedValue = z.union([z.string(), comparedNumber, z.boolean(), z.null()]);

import { z } from 'zod';
import { exactNumber } from './exact-number.js';

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

/** A value of a pattern, which is compared with a value of metadata. */
export const comparedValue = z.union([z.string(), exactNumber, z.boolean(), z.null()]);

import { limits } from './limits.js';
import { storableText } from './text.js';

/** Spaces around a name are not part of it. Characters are code points. */
export const shortName = storableText
  .transform((name) => name.trim())
  .refine((name) => name.length > 0 && [...name].length <= limits.nameCharacters, 'must have 1 to 64 characters')
  .refine((name) => !/\p{Cc}/u.test(name), 'must have no control characters')
  .meta({
    minLength: 1,
    maxLength: limits.nameCharacters,
    description: '1 to 64 characters, without control characters.',
  });

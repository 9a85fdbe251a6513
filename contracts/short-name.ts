import { limits } from './limits.js';
import { storableText } from './text.js';

/** Joiners that a person writes: within an emoji, and between letters of the Arabic script. */
const joiners =
  /(?<=\p{Extended_Pictographic}|\p{EMod}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu;
/** Control characters, and characters that no one sees: with them two names look the same, or are read in another direction. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Spaces around a name are not part of it. Characters are code points; the same name has one spelling (NFC). */
export const shortName = storableText
  .transform((name) => name.trim().normalize('NFC'))
  .refine((name) => name.length > 0 && [...name].length <= limits.nameCharacters, 'must have 1 to 64 characters')
  .refine((name) => !unseen.test(name.replace(joiners, '')), 'must have no control characters and no invisible ones')
  .meta({
    minLength: 1,
    maxLength: limits.nameCharacters,
    description: '1 to 64 characters, without control characters and invisible ones. It is stored in NFC.',
  });

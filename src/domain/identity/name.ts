import { isStorable } from '../../../contracts/text.js';

const maxCharacters = 64;

/**
 * A name of an agent or a vendor as it is bound: in NFC, and without spaces around it. An empty one is absent.
 * @returns undefined for a text that is no name: with control characters, or with more than 64 characters (code points)
 */
export function readIdentityName(text: string | null): string | null | undefined {
  const name = text?.normalize('NFC').trim() ?? '';
  if (name === '') return null;
  return isStorable(name) && !/\p{Cc}/u.test(name) && [...name].length <= maxCharacters ? name : undefined;
}

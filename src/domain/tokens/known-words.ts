import {
  beginningsOf,
  camelPartsOf,
  first,
  foldedOf,
  formToken,
  lowered,
  type Token,
  withoutV,
  wordToken,
} from './word.js';

/** A word with all that is made of it alone, in every text and run. */
export interface WordTokens {
  readonly token: Token;
  readonly camelParts: readonly Token[];
  /** Its forms and beginnings. */
  readonly forms: readonly Token[];
}

/**
 * Words are repeated: of LoCoMo's, 95 of 100 are known already. Only words of letters are kept, so no codes or numbers, and when
 * there are too many, all are forgotten.
 */
const known = new Map<string, WordTokens>();
const most = { words: 8192, characters: 32 } as const;

/** @param written a word of letters, marks and digits as it is written */
export function wordTokens(written: string): WordTokens {
  const found = known.get(written);
  if (found) return found;
  const token = wordToken(first(lowered(written)));
  const made = { token, camelParts: camelPartsOf(written), forms: formsOf(token) };
  if (!token.stemmed || written.length > most.characters) return made;
  if (known.size >= most.words) known.clear();
  known.set(written, made);
  return made;
}

export const formsOf = (word: Token): Token[] => [
  ...[...foldedOf(word), ...withoutV(word)].map(formToken),
  ...beginningsOf(word.text),
];

import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens of the o200k vocabulary, by which search results are measured. Special tokens count as the text they are. */
export function countTokens(text: string): number {
  return encode(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() }).length;
}

/** The longest beginning of a text that has at most `budget` tokens; never half a character. */
export function cutToTokens(text: string, budget: number): string {
  // A token is at least one byte, so a text far over the budget need not be encoded whole.
  const enough = text.slice(0, budget * 40);
  const tokens = encode(enough, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
  if (tokens.length <= budget && enough.length === text.length) return text;
  return decode(tokens.slice(0, budget))
    .replace(/\ufffd+$/u, '')
    .toWellFormed();
}

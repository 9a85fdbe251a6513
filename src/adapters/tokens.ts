import type { Budget } from '../domain/budget.js';

/** Its tables take 0.4 s to load, which happens while the database in its thread opens. */
const loading = import('gpt-tokenizer/encoding/o200k_base');

const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** Tokens of the o200k vocabulary, by which search results are measured. Special tokens count as the text they are. */
export async function openTokens(): Promise<Budget> {
  const { decode, encode } = await loading;
  return {
    count: (text) => encode(text, asText).length,
    /** The longest beginning of a text that has at most `budget` tokens; never half a character. */
    cut(text, budget) {
      // A token is at least one byte, so a text far over the budget need not be encoded whole.
      const enough = text.slice(0, budget * 40);
      const tokens = encode(enough, asText);
      if (tokens.length <= budget && enough.length === text.length) return text;
      return decode(tokens.slice(0, budget))
        .replace(/\ufffd+$/u, '')
        .toWellFormed();
    },
  };
}

import { setImmediate as turn } from 'node:timers/promises';
import type { Budget } from '../domain/budget.js';

/** Its tables take 0.4 s to load, which happens while the database in its thread opens. */
const loading = import('gpt-tokenizer/encoding/o200k_base');

const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * The tokenizer needs time that grows with the square of a stretch without a border between words, and its stack ends
 * within one of a million: it is given pieces of at most this many code units. A piece takes up to 0.8 ms.
 */
const longestPiece = 256;
/** A piece ends at the border of a word, unless there is none in the last three quarters of it. */
const shortestPiece = 64;
/** Pieces after which others get their turn: 10 ms at worst. */
const piecesPerTurn = 12;
/** Words, each a kilobyte at most, whose tokens the tokenizer remembers; by itself it keeps 100,000. */
const rememberedWords = 5000;

const letter = /\p{L}/u;
const goesOn = /[\p{L}\p{M}'\ud800-\udfff]/u;

/**
 * Tokens of the o200k vocabulary, by which search results are measured. Special tokens count as the text they are.
 * The count is exact but for stretches of 256 characters without the end of a word, where it may be a token too many.
 */
export async function openTokens(): Promise<Budget> {
  const { encode, setMergeCacheSize } = await loading;
  setMergeCacheSize(rememberedWords);
  const count = (text: string) => encode(text, asText).length;
  return {
    async fit(text, tokens) {
      let used = 0;
      let from = 0;
      for (let n = 1; from < text.length; n += 1) {
        const end = pieceEnd(text, from);
        const more = count(text.slice(from, end));
        if (used + more > tokens) {
          const cut = longestBeginning(text, from, end, (piece) => used + count(piece) <= tokens);
          return { text: text.slice(0, cut), tokens: used + count(text.slice(from, cut)) };
        }
        used += more;
        from = end;
        if (n % piecesPerTurn === 0) await turn();
      }
      return { text, tokens: used };
    },
  };
}

/** Where a piece that begins at `from` ends. The vocabulary has no token over the end of a word, so there no count changes. */
function pieceEnd(text: string, from: number): number {
  const most = from + longestPiece;
  if (most >= text.length) return text.length;
  for (let at = most; at > from + shortestPiece; at -= 1) {
    if (letter.test(text.charAt(at - 1)) && !goesOn.test(text.charAt(at))) return at;
  }
  return wholeCharacter(text, most);
}

/** The last position up to `end` that `fits`, by halving. */
function longestBeginning(text: string, from: number, end: number, fits: (piece: string) => boolean): number {
  let [good, bad] = [from, end];
  while (bad - good > 1) {
    const middle = wholeCharacter(text, (good + bad) >> 1);
    if (middle <= good) break;
    if (fits(text.slice(from, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Never between the halves of a surrogate pair. */
function wholeCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}

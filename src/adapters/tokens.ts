import { BoundedCache } from '../base/bounded-cache.js';
import type { Budget } from '../base/budget.js';
import { yieldToOthers } from '../base/steps.js';

/**
 * The tables of the tokenizer take 0.6 s of processor time and 100 MB, so the first search loads them. Many processes never search, such
 * as those of the command line.
 */
async function load(): Promise<(text: string) => number> {
  const { encode, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base');
  setMergeCacheSize(rememberedWords);
  return (text) => encode(text, asText).length;
}

const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * The largest piece for the tokenizer, in code units. Its time grows with the square of the length of a text without
 * word borders, and a million such characters overflow its stack. A piece takes up to 0.8 ms.
 */
const longestPiece = 256;
/** A piece ends at the end of a word, unless there is none in its last three quarters. */
const shortestPiece = 64;
/** The number of pieces after which the tokenizer yields to other requests: 10 ms at worst. */
const piecesPerSlice = 12;
/** The number of words, of a kilobyte at most, whose tokens the tokenizer caches; its default is 100,000. */
const rememberedWords = 5000;

/** The texts whose tokens are remembered: only their number, so that nothing is left of a text that is erased. */
const rememberedTexts = 20_000;

const letter = /\p{L}/u;
const continuesWord = /[\p{L}\p{M}'\ud800-\udfff]/u;

/**
 * Measures search results in tokens of the o200k vocabulary. Special tokens count as plain text. The count is exact,
 * except that it may be one token too high for each 256 characters without the end of a word.
 */
export function openTokens(): Budget {
  let loaded: ReturnType<typeof load> | undefined;
  const known = new BoundedCache<number>(rememberedTexts);
  return {
    async fit(text, tokens, key) {
      const before = key === undefined ? undefined : known.get(key);
      if (before !== undefined && before <= tokens) return { text, tokens: before };
      loaded ??= load();
      const count = await loaded;
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
        if (n % piecesPerSlice === 0) await yieldToOthers();
      }
      if (key !== undefined) known.set(key, used);
      return { text, tokens: used };
    },
  };
}

/**
 * The end of the piece that begins at `from`. No token of the vocabulary crosses the end of a word, so cutting there
 * keeps the count.
 */
function pieceEnd(text: string, from: number): number {
  const most = from + longestPiece;
  if (most >= text.length) return text.length;
  for (let at = most; at > from + shortestPiece; at -= 1) {
    if (letter.test(text.charAt(at - 1)) && !continuesWord.test(text.charAt(at))) return at;
  }
  return wholeCharacter(text, most);
}

/** The last position up to `end` that `fits`, found by binary search. */
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

/** Moves a position out of the middle of a surrogate pair. */
function wholeCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}

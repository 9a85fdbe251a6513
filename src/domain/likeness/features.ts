import { chunk } from '../prepared.js';
import { wordsOf } from '../words.js';
import { type Weights, weightSums } from './weight-sums.js';

const weights = { word: 0.7, pair: 0.3, ngrams: 1 } as const;
/** Longer "words" are identifiers or noise; their first characters are enough. */
const maxWordLength = 40;

/** The hashes of the three characters from each place of a word. Without accents a word may be longer than before. */
const hashesOfThree: number[] = [];

/** Words without accents. */
const onlyLetters = /^[a-z0-9]*$/;

/** FNV-1a over UTF-16 code units. Each kind of feature begins with another value. */
const firstHash = 0x811c9dc5;
const seeds = { word: 1, pair: 2, ngrams: 3 } as const;

/** The hash of some characters, continued from that of those before them, so that no text is put together for it. */
function hashed(text: string, before: number, from = 0, to = text.length): number {
  let value = before;
  for (let i = from; i < to; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value;
}

/** Mixed at the end, so that the low bits (the dimension) depend on every character. */
function mixed(hash: number): number {
  const value = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 15)) >>> 0;
}

/** Takes a feature of a text, as a hash of 32 bits, and its weight. */
type OnFeature = (code: number, weight: number) => void;

export function eachFeature(text: string, weightOf: (word: string) => number, onFeature: OnFeature): void {
  let before = '';
  let weightBefore = 0;
  for (const whole of wordsOf(text)) {
    const word = whole.slice(0, maxWordLength);
    const weight = weightOf(word);
    onFeature(mixed(hashed(word, firstHash ^ seeds.word)), weights.word * weight);
    if (before !== '') {
      const pair = hashed(word, hashed(' ', hashed(before, firstHash ^ seeds.pair)));
      onFeature(mixed(pair), weights.pair * Math.min(weight, weightBefore));
    }
    ngrams(word, weights.ngrams * weight, onFeature);
    before = word;
    weightBefore = weight;
  }
}

function ngrams(word: string, weight: number, onFeature: OnFeature): void {
  // Accents are removed only here, because people omit them. The feature of the whole word still distinguishes such words.
  const bare = onlyLetters.test(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '');
  const marked = `^${bare}$`;
  const last = marked.length;
  const grams = Math.max(0, last - 2) + Math.max(0, last - 3);
  // A long word has more n-grams. Their squares together have the same weight as those of a short word.
  const each = weight / Math.sqrt(grams);
  // The hash of four characters continues that of the first three.
  for (let at = 0; at + 3 <= last; at += 1) {
    const begun = hashed(marked, firstHash ^ seeds.ngrams, at, at + 3);
    hashesOfThree[at] = begun;
    onFeature(mixed(begun), each);
  }
  for (let at = 0; at + 4 <= last; at += 1)
    onFeature(mixed(hashed(marked, hashesOfThree[at] ?? 0, at + 3, at + 4)), each);
}

/** Without a corpus, the length of a word is the best estimate of its weight, because common words are short. */
export function lengthWeight(word: string): number {
  if (!/^[a-z]+$/.test(word) && !/^\p{Script=Latin}+$/u.test(word)) return 1;
  return word.length <= 2 ? 0.2 : word.length === 3 ? 0.5 : 1;
}

/** The sums of the weights of a text, in memory that is used again for the next one. */
const sums = weightSums();

/**
 * Gives the cosine of a query and of the part of another text that is nearest to it, by their features themselves, of which no two
 * share a dimension. A text of 500 characters takes 60 µs. To keep the features of texts was tried: where memories had too many to
 * keep all, collecting them again as garbage cost searches among 10,000 a quarter of their processor time.
 */
export function likenessTo(query: string, weightOf: (word: string) => number): (text: string) => number {
  sums.clear();
  eachFeature(query, weightOf, sums.add);
  const own = sums.all();
  const squares = sums.squares();
  return (text) => Math.max(...chunk(text).map((part) => cosineOf(own, squares, part.text)));
}

function cosineOf({ codes, weights }: Weights, squares: number, text: string): number {
  sums.clear();
  eachFeature(text, lengthWeight, sums.add);
  let product = 0;
  for (let i = 0; i < codes.length; i += 1) product += (weights[i] ?? 0) * sums.of(codes[i] ?? 0);
  return product === 0 ? 0 : product / Math.sqrt(squares * sums.squares());
}

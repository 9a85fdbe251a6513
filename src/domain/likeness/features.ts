import { chunk } from '../prepared.js';
import { wordsOf } from '../words.js';
import { weightSums } from './weight-sums.js';

/** The features of a text, or of a part of it: their hashes, the lowest first, with their weights beside them. */
export interface Features {
  readonly codes: Uint32Array;
  readonly weights: Float64Array;
  /** The sum of the squares of the weights. */
  readonly squares: number;
}

const weights = { word: 0.7, pair: 0.3, ngrams: 1 } as const;
const ngramSizes = [3, 4];
/** Longer "words" are identifiers or noise; their first characters are enough. */
const maxWordLength = 40;

/** Words without accents. */
const onlyLetters = /^[a-z0-9]*$/;

/** FNV-1a over UTF-16 code units, mixed at the end so that the low bits (the dimension) depend on every character. */
function hash(text: string, seed: number, from = 0, to = text.length): number {
  let value = 0x811c9dc5 ^ seed;
  for (let i = from; i < to; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
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
    onFeature(hash(word, 1), weights.word * weight);
    if (before !== '') onFeature(hash(`${before} ${word}`, 2), weights.pair * Math.min(weight, weightBefore));
    ngrams(word, weights.ngrams * weight, onFeature);
    before = word;
    weightBefore = weight;
  }
}

function ngrams(word: string, weight: number, onFeature: OnFeature): void {
  // Accents are removed only here, because people omit them. The feature of the whole word still distinguishes such words.
  const bare = onlyLetters.test(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '');
  const marked = `^${bare}$`;
  let grams = 0;
  for (const size of ngramSizes) grams += Math.max(0, marked.length - size + 1);
  // A long word has more n-grams. Their squares together have the same weight as those of a short word.
  const each = weight / Math.sqrt(grams);
  for (const size of ngramSizes) {
    for (let to = size; to <= marked.length; to += 1) onFeature(hash(marked, 3, to - size, to), each);
  }
}

/** Without a corpus, the length of a word is the best estimate of its weight, because common words are short. */
export function lengthWeight(word: string): number {
  if (!/^\p{Script=Latin}+$/u.test(word)) return 1;
  return word.length <= 2 ? 0.2 : word.length === 3 ? 0.5 : 1;
}

/** The sums of the weights of each chunk of a text, in memory that is used again for the next one. */
const sums = weightSums();

/** The features of each chunk of a text. */
export const featuresOf = (text: string): Features[] =>
  chunk(text).map((part) => featuresWith(part.text, lengthWeight));

/** The features of a text whose words weigh as `weightOf` says. */
export function featuresWith(text: string, weightOf: (word: string) => number): Features {
  sums.clear();
  eachFeature(text, weightOf, (code, weight) => sums.add(code, weight));
  const codes = sums.codes().sort();
  const own = new Float64Array(codes.length);
  let squares = 0;
  for (let i = 0; i < codes.length; i += 1) {
    const weight = sums.of(codes[i] ?? 0);
    own[i] = weight;
    squares += weight * weight;
  }
  return { codes, weights: own, squares };
}

/** The cosine of two texts by their features themselves, of which no two share a dimension. */
export function exactCosine(one: Features, other: Features): number {
  let [i, k, product] = [0, 0, 0];
  while (i < one.codes.length && k < other.codes.length) {
    const [a, b] = [one.codes[i] ?? 0, other.codes[k] ?? 0];
    if (a === b) product += (one.weights[i] ?? 0) * (other.weights[k] ?? 0);
    if (a <= b) i += 1;
    if (b <= a) k += 1;
  }
  return product === 0 ? 0 : product / Math.sqrt(one.squares * other.squares);
}

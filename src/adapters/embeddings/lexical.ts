import { slices } from '../../base/steps.js';
import { chunk } from '../../domain/prepared.js';
import { wordsOf } from '../../domain/words.js';
import type { Embedder } from './embedder.js';
import { type WeightSums, weightSums } from './weight-sums.js';

/**
 * The built-in embedder: signed feature hashing (Weinberger et al., "Feature Hashing for Large Scale Multitask
 * Learning", ICML 2009) over words, pairs of words and character n-grams. It is only lexical: it finds inflected,
 * misspelt and compound words that an exact match misses, and does not know what they mean. It needs no model and no
 * network, and computes the same vector on every machine.
 *
 * A document's vector depends only on its text. The frequency of a word changes with every write, so it is used only
 * for the query.
 */
const lexicalModel = { name: 'lexical-1', dimensions: 256, floor: 0.2 } as const;

const weights = { word: 0.7, pair: 0.3, ngrams: 1 } as const;
const ngramSizes = [3, 4];
/** The time after which embedding yields to other requests. */
const sliceMs = 5;
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

function add(vector: Float32Array, code: number, weight: number): void {
  const dimension = code % lexicalModel.dimensions;
  // The sign comes from a bit that the dimension does not use, so that colliding features cancel out on average.
  vector[dimension] = (vector[dimension] ?? 0) + (code & 0x10000000 ? weight : -weight);
}

/** Takes a feature of a text, as a hash of 32 bits, and its weight. */
type OnFeature = (code: number, weight: number) => void;

function features(text: string, weightOf: (word: string) => number, onFeature: OnFeature): void {
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

function embed(text: string, weightOf: (word: string) => number): Float32Array {
  const vector = new Float32Array(lexicalModel.dimensions);
  features(text, weightOf, (code, weight) => add(vector, code, weight));
  return vector;
}

/**
 * The cosine of two texts by their features themselves, of which no two share a dimension.
 * @param other is used again for each text: a map of a thousand features each was a third of what a search allocates
 */
function exactCosine(query: ReadonlyMap<number, number>, text: string, other: WeightSums): number {
  other.clear();
  features(text, lengthWeight, (code, weight) => other.add(code, weight));
  let product = 0;
  for (const [code, weight] of query) product += weight * other.of(code);
  return product === 0 ? 0 : product / Math.sqrt(squaresOf(query) * other.squares());
}

function featureSums(text: string, weightOf: (word: string) => number): Map<number, number> {
  const sums = new Map<number, number>();
  features(text, weightOf, (code, weight) => sums.set(code, (sums.get(code) ?? 0) + weight));
  return sums;
}

function squaresOf(sums: ReadonlyMap<number, number>): number {
  let squares = 0;
  for (const weight of sums.values()) squares += weight * weight;
  return squares;
}

/** The vector of a document. One without words gets a fixed direction, because pgvector has no cosine for the zero vector. */
function ofDocument(text: string): Float32Array {
  const vector = embed(text, lengthWeight);
  if (!normalise(vector)) vector[0] = 1;
  return vector;
}

/**
 * Gives a vector the length 1. The methods of arrays would take ten times as long.
 * @returns false for a vector without a direction, which stays as it is
 */
function normalise(vector: Float32Array): boolean {
  let squares = 0;
  for (let i = 0; i < vector.length; i += 1) squares += (vector[i] ?? 0) * (vector[i] ?? 0);
  if (squares === 0) return false;
  const length = Math.sqrt(squares);
  for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) / length;
  return true;
}

/** Without a corpus, the length of a word is the best estimate of its weight, because common words are short. */
function lengthWeight(word: string): number {
  if (!/^\p{Script=Latin}+$/u.test(word)) return 1;
  return word.length <= 2 ? 0.2 : word.length === 3 ? 0.5 : 1;
}

const weighted =
  (idf: ReadonlyMap<string, number>) =>
  (word: string): number =>
    idf.get(word) ?? lengthWeight(word);

/** Hashing changes a cosine in both directions, so that one below the floor may still be a true similarity. */
const leastExact = 0.6 * lexicalModel.floor;

export function lexicalEmbedder(): Embedder {
  return {
    model: `${lexicalModel.name}:${lexicalModel.dimensions}`,
    repeatable: true,
    isQuick: true,
    floor: lexicalModel.floor,
    async documents(texts) {
      const vectors: Float32Array[] = [];
      const next = slices(sliceMs);
      for (const text of texts) {
        vectors.push(ofDocument(text));
        // A text of 800 characters takes between 0.2 and 8 ms, so other requests are served every few milliseconds.
        await next();
      }
      return vectors;
    },
    async query(text, idf) {
      const vector = embed(text, weighted(idf));
      normalise(vector);
      return vector;
    },
    async areNear(text, idf, others) {
      const query = featureSums(text, weighted(idf));
      const sums = weightSums();
      const near: boolean[] = [];
      const next = slices(sliceMs);
      for (const other of others) {
        near.push(chunk(other).some((part) => exactCosine(query, part.text, sums) >= leastExact));
        await next();
      }
      return near;
    },
  };
}

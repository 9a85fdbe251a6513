import { setImmediate as nextIteration } from 'node:timers/promises';
import { wordsOf } from '../../domain/words.js';
import type { Embedder } from './embedder.js';

/**
 * The built-in embedder: signed feature hashing (Weinberger et al., "Feature Hashing for Large Scale Multitask
 * Learning", ICML 2009) over words, pairs of words and character n-grams. It is only lexical: it finds inflected,
 * misspelt and compound words that an exact match misses, and does not know what they mean. It needs no model and no
 * network, and computes the same vector on every machine.
 *
 * A document's vector depends only on its text. The frequency of a word changes with every write, so it is used only
 * for the query.
 */
export const lexicalModel = { name: 'lexical-1', dimensions: 256, floor: 0.2 } as const;

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

function embed(text: string, weightOf: (word: string) => number): Float32Array {
  const vector = new Float32Array(lexicalModel.dimensions);
  let before = '';
  let weightBefore = 0;
  for (const whole of wordsOf(text)) {
    const word = whole.slice(0, maxWordLength);
    const weight = weightOf(word);
    add(vector, hash(word, 1), weights.word * weight);
    if (before !== '') add(vector, hash(`${before} ${word}`, 2), weights.pair * Math.min(weight, weightBefore));
    addNgrams(vector, word, weights.ngrams * weight);
    before = word;
    weightBefore = weight;
  }
  return normalise(vector);
}

function addNgrams(vector: Float32Array, word: string, weight: number): void {
  // Accents are removed only here, because people omit them. The feature of the whole word still distinguishes such words.
  const bare = onlyLetters.test(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '');
  const marked = `^${bare}$`;
  let grams = 0;
  for (const size of ngramSizes) grams += Math.max(0, marked.length - size + 1);
  // A long word has more n-grams. Their squares together have the same weight as those of a short word.
  const each = weight / Math.sqrt(grams);
  for (const size of ngramSizes) {
    for (let to = size; to <= marked.length; to += 1) add(vector, hash(marked, 3, to - size, to), each);
  }
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares > 0) {
    const length = Math.sqrt(squares);
    for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) / length;
    return vector;
  }
  // A text without words gets a fixed direction, because pgvector has no cosine for the zero vector.
  vector[0] = 1;
  return vector;
}

/** Without a corpus, the length of a word is the best estimate of its weight, because common words are short. */
function lengthWeight(word: string): number {
  if (!/^\p{Script=Latin}+$/u.test(word)) return 1;
  return word.length <= 2 ? 0.2 : word.length === 3 ? 0.5 : 1;
}

export function lexicalEmbedder(): Embedder {
  return {
    model: `${lexicalModel.name}:${lexicalModel.dimensions}`,
    repeatable: true,
    floor: lexicalModel.floor,
    async documents(texts) {
      const vectors: Float32Array[] = [];
      let since = performance.now();
      for (const text of texts) {
        vectors.push(embed(text, lengthWeight));
        // A text of 800 characters takes between 0.2 and 8 ms, so other requests are served every few milliseconds.
        if (performance.now() - since > sliceMs) {
          await nextIteration();
          since = performance.now();
        }
      }
      return vectors;
    },
    query: async (text, idf) => embed(text, (word) => idf.get(word) ?? lengthWeight(word)),
  };
}

import { setImmediate as turn } from 'node:timers/promises';
import { wordsOf } from '../../domain/words.js';
import type { Embedder } from './embedder.js';

/**
 * The built-in embedder: signed feature hashing (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning",
 * ICML 2009) over words, pairs of words and character n-grams. It is lexical and nothing more: it finds inflected,
 * misspelt and compounded words that an exact match misses, and knows nothing of meaning. It needs no model and no
 * network, and gives the same vector on every machine.
 *
 * A document's vector depends on its text alone. How rare a word is changes with every write, so it weighs only the query.
 */
export const lexicalModel = { name: 'lexical-1', dimensions: 256, floor: 0.2 } as const;

const weights = { word: 0.7, pair: 0.3, ngrams: 1 } as const;
const ngramSizes = [3, 4];
/** How long texts are embedded before others get their turn. */
const turnMs = 5;
/** Longer "words" are identifiers or noise; their first characters say enough. */
const maxWordLength = 40;

/** Words without accents. */
const onlyLetters = /^[a-z0-9]*$/;

/** FNV-1a over UTF-16 code units with a last mix, so that the low bits (the dimension) depend on every character. */
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
  // Accents are left out here and only here: people leave them out, and the whole word still tells the two apart.
  const bare = onlyLetters.test(word) ? word : word.normalize('NFD').replace(/\p{M}/gu, '');
  const marked = `^${bare}$`;
  let grams = 0;
  for (const size of ngramSizes) grams += Math.max(0, marked.length - size + 1);
  // A long word has more n-grams; their squares together weigh what those of a short word do.
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
  // A text without a word: a fixed direction, because pgvector has no cosine for the zero vector.
  vector[0] = 1;
  return vector;
}

/** Without a corpus at hand, a word's length is the best guess at how much it says: short words are the common ones. */
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
        // A text of 800 characters takes 0.2 ms and up to 8; requests get their turn every few milliseconds.
        if (performance.now() - since > turnMs) {
          await turn();
          since = performance.now();
        }
      }
      return vectors;
    },
    query: async (text, idf) => embed(text, (word) => idf.get(word) ?? lengthWeight(word)),
  };
}

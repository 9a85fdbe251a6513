import { slices } from '../../base/steps.js';
import { eachFeature, lengthWeight, likenessTo } from '../../domain/likeness/features.js';
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
const lexicalModel = { name: 'lexical-1', dimensions: 256, floor: 0.2 } as const;

/** The time after which embedding yields to other requests. */
const sliceMs = 5;

function add(vector: Float32Array, code: number, weight: number): void {
  const dimension = code % lexicalModel.dimensions;
  // The sign comes from a bit that the dimension does not use, so that colliding features cancel out on average.
  vector[dimension] = (vector[dimension] ?? 0) + (code & 0x10000000 ? weight : -weight);
}

function embed(text: string, weightOf: (word: string) => number): Float32Array {
  const vector = new Float32Array(lexicalModel.dimensions);
  eachFeature(text, weightOf, (code, weight) => add(vector, code, weight));
  return vector;
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
    nearTo(query, idf) {
      const likeness = likenessTo(query, weighted(idf));
      return (text) => likeness(text) >= leastExact;
    },
  };
}

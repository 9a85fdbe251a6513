import type { Term } from './cached-values.js';
import type { Bm25 } from './search-index.js';

const weightOf = (term: Term, k1: number): number =>
  Math.log(1 + (term.documents - term.frequency + 0.5) / (term.frequency + 0.5)) * (k1 + 1);

/** The parameters of the score that one word adds to a document: weight · f / (f + base + slope · length). */
export function curve(term: Term, { k1, b }: Bm25): { weight: number; base: number; slope: number } {
  return {
    weight: weightOf(term, k1),
    base: k1 * (1 - b),
    slope: (k1 * b * term.documents) / Math.max(1, term.length),
  };
}

import type { Term } from './cached-values.js';
import type { Bm25 } from './search-index.js';

const weightOf = (term: Term, k1: number): number =>
  term.share * Math.log(1 + (term.documents - term.frequency + 0.5) / (term.frequency + 0.5)) * (k1 + 1);

/** The parameters of the score that one word adds to a document: weight · f / (f + base + slope · length). */
export function curve(term: Term, { k1, b }: Bm25): { weight: number; base: number; slope: number } {
  return {
    weight: weightOf(term, k1),
    base: k1 * (1 - b),
    slope: (k1 * b * term.documents) / Math.max(1, term.length),
  };
}

/** A namespace is searched for this number of words at most, the rarest ones. More frequent words hardly change the ranking. */
const mostWords = 32;

/**
 * The words by which documents are scored: those of the query before similar ones, and the rarest first. Two words of the query may have the same lexeme in a namespace,
 * which then counts once. Words with equal frequency are ordered by hash, so that the result is repeatable: sums that are added
 * up in this order are equal to the last bit.
 */
export function rarestWords(terms: readonly Term[]): Term[] {
  const byShare = terms.toSorted((a, b) => a.share - b.share);
  const rarest = [...new Map(byShare.map((term) => [term.term, term])).values()].sort(
    (a, b) => Number(b.share === 1) - Number(a.share === 1) || a.frequency - b.frequency || (a.term < b.term ? -1 : 1),
  );
  const words = new Map<string, number>();
  return rarest.filter(({ namespace_id: id }) => {
    words.set(id, (words.get(id) ?? 0) + 1);
    return (words.get(id) ?? 0) <= mostWords;
  });
}

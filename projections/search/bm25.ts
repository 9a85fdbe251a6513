import type { Row, Transaction, Value } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import type { Term } from './cache.js';
import type { Filter } from './passing.js';
import { documentsAt, type Place } from './place.js';
import type { Bm25 } from './search-index.js';

/** The parameters of the score that one word adds to a document: weight · f / (f + base + slope · length). */
export function curve(term: Term, { k1, b }: Bm25): { weight: number; base: number; slope: number } {
  return {
    weight: term.share * term.idf * (k1 + 1),
    base: k1 * (1 - b),
    slope: (k1 * b * term.documents) / Math.max(1, term.length),
  };
}

/**
 * The terms in the order in which they are added up, the rarest first. Terms with equal frequency are ordered by hash, so that the
 * result is repeatable: sums that are added up in this order are equal to the last bit.
 */
export const rarestFirst = (terms: readonly Term[]): Term[] =>
  terms.toSorted((a, b) => a.frequency - b.frequency || (a.term < b.term ? -1 : 1));

/** A document, and the frequencies of some words in it. */
interface DocumentWords extends Row, Place {
  memoryId: string;
  namespaceId: string;
  seq: number;
  length: number;
  lexemes?: string[];
  frequencies?: number[];
}

/** Reads those documents of the list that pass the filter, with the frequencies of these lexemes in their texts. */
export function documentsWith(
  tx: Transaction,
  places: readonly Place[],
  lexemes: readonly string[],
  filter: Filter,
): Promise<DocumentWords[]> {
  const params: Value[] = [places.map((one) => one.namespaceId), places.map((one) => one.seq)];
  const condition = filter((value) => `$${params.push(value)}`);
  // Columns that are not needed would cost as much as the look-up itself.
  const words = lexemes.length === 0 ? '' : ', w.lexemes, w.frequencies';
  const join =
    lexemes.length === 0
      ? ''
      : `left join lateral (select coalesce(array_agg(u.lexeme), '{}') as lexemes,
                  coalesce(array_agg(cardinality(u.positions)), '{}') as frequencies
           from search_texts s cross join unnest(s.words) u
          where s.memory_id = d.memory_id and u.lexeme = any($${params.push(lexemes)}::text[])) w on true`;
  return tx.query<DocumentWords>(
    `select d.memory_id::text as "memoryId", d.namespace_id::text as "namespaceId", d.seq, d.length${words}
       from ${documentsAt}
       join ${memoryRows} m on m.id = d.memory_id ${join} where ${condition}`,
    params,
  );
}

/** The BM25 of these words in a document, added to `sum` in the order of `terms`. */
export function scoreOfWords(row: DocumentWords, terms: readonly Term[], bm25: Bm25, sum = 0): number {
  const { lexemes = [], frequencies = [] } = row;
  return terms
    .filter((term) => term.namespace_id === row.namespaceId)
    .reduce((score, term) => {
      const { weight, base, slope } = curve(term, bm25);
      const frequency = lexemes.reduce((n, word, i) => n + (word === term.lexeme ? (frequencies[i] ?? 0) : 0), 0);
      return frequency === 0 ? score : score + (weight * frequency) / (frequency + base + slope * row.length);
    }, sum);
}

import type { Transaction } from '../../src/database/database.js';
import { rarestWords } from './bm25.js';
import { documentsWith, scoreOfWords } from './document-words.js';
import { bestPlaces, rememberedScores } from './engine-places.js';
import { everything } from './passing.js';
import type { EnginePlaces } from './search-engine.js';
import type { WordCandidates, WordsQuery } from './search-index.js';

/**
 * The candidates that an engine has given by words, with their BM25 by the statistics of the database. The sums are added up in
 * the order in which the tables of the database add them up, so they are equal to the last bit.
 */
export function engineWords(tx: Transaction, given: EnginePlaces, query: WordsQuery): WordCandidates {
  const terms = rarestWords(query.terms);
  const lexemes = [...new Set(terms.map((term) => term.lexeme))];
  const sumsAt = rememberedScores(async (places) => {
    const rows = await documentsWith(tx, places, lexemes, everything);
    const sums = new Map(rows.map((row) => [`${row.namespaceId} ${row.seq}`, scoreOfWords(row, terms, query.bm25)]));
    return places.map(({ namespaceId, seq }) => sums.get(`${namespaceId} ${seq}`) ?? 0);
  });
  const documents = new Map(terms.map((term) => [term.namespace_id, term.documents]));
  return {
    namespaceIds: [...documents.keys()],
    documents: [...documents.values()].reduce((sum, count) => sum + count, 0),
    choose: (size, mayPass) => bestPlaces(given, sumsAt, 0, size, mayPass),
    unread: [],
    sumsAt,
  };
}

import { largerFirst } from '../../src/base/order.js';
import type { Transaction } from '../../src/database/database.js';
import { documentsWith, scoreOfWords } from './bm25.js';
import type { SearchCache } from './cache.js';
import { type Filter, passingOf } from './passing.js';
import { passingDocuments } from './passing-documents.js';
import type { Place, RankedMemory } from './place.js';
import type { Found, RankedCandidates, SearchIndex, VectorQuery, WordsQuery } from './search-index.js';
import { hasDirection } from './vector-index.js';
import { nearestAt } from './vectors-at.js';

/** The index that gives candidates, and the cache of what was read from the database before. */
export interface Searched {
  readonly index: SearchIndex;
  readonly cache: SearchCache;
}

/** The conditions for hits: of the candidates that pass the filter, the best `limit` are hits. */
export interface Wanted {
  /** The filter of the query, compiled to SQL. */
  readonly condition: Filter;
  readonly limit: number;
}

export interface Hit extends Place {
  readonly memoryId: string;
  /** The score in the measure of the arm: the cosine of the nearest chunk (−1 to 1), or BM25 (0 or more). */
  readonly score: number;
}

/** The result of one arm of a search. */
export interface Arm {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Scores memories that the other arm has found. Memories without a score in this arm are left out. */
  scoresOf(others: readonly Hit[]): Promise<readonly Hit[]>;
}

type CandidatesOf<A extends 'byVector' | 'byWords'> = NonNullable<Found[A]>;

const byScore = (a: Hit, b: Hit): number => largerFirst(a.score, b.score) || (a.memoryId < b.memoryId ? -1 : 1);

/**
 * Ranks memories by the cosine of their nearest chunk, exactly by the whole vectors of the candidates. Those of earlier candidates are
 * in memory: pgvector took 20 µs for each, with the look-up.
 */
export async function denseArm(
  tx: Transaction,
  cache: SearchCache,
  candidates: CandidatesOf<'byVector'>,
  query: VectorQuery,
  { condition, limit }: Wanted,
): Promise<Arm> {
  if (!hasDirection(query.vector)) return { hits: [], scoresOf: async () => [] };
  const found = await candidates();
  const look = (places: readonly Place[]) => compare(tx, cache, places, query, condition);
  const hits = await bestPassing(tx, cache, found, condition, limit, limit, look);
  return {
    hits: hits.sort(byScore).slice(0, limit),
    // Exact, like the scores of the hits: so the score of a memory does not depend on which memories an index has found.
    scoresOf: look,
  };
}

/**
 * Ranks memories that hold any word of the query by BM25 (Robertson and Zaragoza 2009). The statistics are those of the
 * memory's namespace, and the idf is ln(1 + (N − n + ½) / (n + ½)), which is never negative.
 */
export async function keywordArm(
  tx: Transaction,
  cache: SearchCache,
  candidates: CandidatesOf<'byWords'>,
  query: WordsQuery,
  { condition, limit }: Wanted,
): Promise<Arm> {
  const found = await candidates();
  const { unread } = found;
  const lexemes = [...new Set(unread.map((term) => term.lexeme))];
  const look = async (places: readonly Place[]): Promise<Hit[]> => {
    if (unread.length === 0) {
      const memories = await passingDocuments(tx, cache, places, condition);
      const sums = await found.sumsAt(memories);
      return memories.map((memory, i) => hitOf(memory, sums[i] ?? 0));
    }
    const rows = await documentsWith(tx, places, lexemes, condition);
    const sums = await found.sumsAt(rows);
    return rows.map((row, i) => ({ ...row, score: scoreOfWords(row, unread, query.bm25, sums[i]) }));
  };
  const hits = await bestPassing(tx, cache, found, condition, limit, Math.ceil(1.25 * limit), look);
  return {
    hits: hits.sort(byScore).slice(0, limit),
    async scoresOf(others) {
      if (unread.length > 0) return (await look(others)).filter(({ score }) => score > 0);
      const sums = await found.sumsAt(others);
      return others.map((other, i) => ({ ...other, score: sums[i] ?? 0 })).filter(({ score }) => score > 0);
    },
  };
}

/** All memories are compared with the filter before more than this multiple of the first number of look-ups is made. */
const patience = 25;

/**
 * Finds the best `limit` documents that pass a filter. `look` reads a ranked list and returns the documents that pass, which
 * takes 20 to 30 µs for each in PGlite. So only `first` documents are read to begin with, without those that are known to fail
 * from an index or an earlier search. From the share that passes it follows how many must be read next. If that is too many,
 * all memories are compared with the filter, and then the best of those that do not fail are read. So a filter never silently
 * loses a result.
 */
async function bestPassing<T>(
  tx: Transaction,
  cache: SearchCache,
  choice: RankedCandidates,
  filter: Filter,
  limit: number,
  first: number,
  look: (ranked: readonly Place[]) => Promise<T[]>,
): Promise<T[]> {
  const passing = await passingOf(tx, cache, choice, filter);
  // More documents are read than are returned, because the first scores are approximate.
  const firstOfKnown = Math.max(first, 2 * limit);
  let mayCompare = true;
  for (let size = passing.mayPass() ? firstOfKnown : first; ; ) {
    const places = await choice.choose(size, passing.mayPass());
    const hits = await look(places);
    if (hits.length >= limit || places.length < size) return hits;
    passing.waste(places.length - hits.length);
    // The next number should hold enough documents by the share that has passed; half of it is added for safety.
    const next = Math.min(choice.documents + 1, Math.max(2 * size, Math.ceil((1.5 * size * limit) / hits.length)));
    const compares: boolean = mayCompare && passing.worthComparing(next, patience * first);
    if (compares) await passing.compareAll();
    mayCompare &&= !compares;
    size = compares ? firstOfKnown : next;
  }
}

/** The cosines of those of these memories that pass. */
async function compare(
  tx: Transaction,
  cache: SearchCache,
  places: readonly Place[],
  query: VectorQuery,
  filter: Filter,
): Promise<Hit[]> {
  const passing = await passingDocuments(tx, cache, places, filter);
  const nearest = await nearestAt(tx, cache, passing, query);
  return passing.flatMap((memory) => {
    const found = nearest.get(memory.id);
    return found ? [hitOf(memory, found.cosine)] : [];
  });
}

const hitOf = ({ id: memoryId, namespaceId, seq }: RankedMemory, score: number): Hit => ({
  memoryId,
  namespaceId,
  seq,
  score,
});

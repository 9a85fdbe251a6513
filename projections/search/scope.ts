import type { Transaction } from '../../src/database/database.js';
import type { SearchCache } from './cache.js';
import { type Filter, passingOf } from './passing.js';
import type { Place } from './place.js';
import type { RankedCandidates } from './search-index.js';
import { best, type Scores } from './top.js';

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

export const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.memoryId < b.memoryId ? -1 : 1);

/** Candidates that are chosen by known scores, without another read. */
export const byScores = (scores: readonly Scores[], documents: number): RankedCandidates => ({
  namespaceIds: [...new Set(scores.map((part) => part.namespaceId))],
  documents,
  choose: async (size, mayPass) => best(scores, size, mayPass && ((_, seq) => mayPass.has(seq))),
});

/** All memories are compared with the filter before more than this multiple of the first number of look-ups is made. */
const patience = 25;

/**
 * Finds the best `limit` documents that pass a filter. `look` reads a ranked list and returns the documents that pass, which
 * takes 20 to 30 µs for each in PGlite. So only `first` documents are read to begin with, without those that are known to fail
 * from an index or an earlier search. From the share that passes it follows how many must be read next. If that is too many,
 * all memories are compared with the filter, and then the best of those that do not fail are read. So a filter never silently
 * loses a result.
 */
export async function bestPassing<T>(
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

/**
 * SQL of the rows `d` of `search_documents` for the namespaces $1 and numbers $2. `offset 0` forces one look-up for each row.
 * Without it the planner reads the whole table for a hash join, which took 14 of 18 ms at 4,000 memories. Documents that are
 * still being added have no model yet and are left out.
 */
export const documentsAt = `unnest($1::uuid[], $2::bigint[]) r(namespace_id, seq) cross join lateral (
         select * from search_documents where namespace_id = r.namespace_id and seq = r.seq and model <> '' offset 0) d`;

import type { Transaction } from '../../src/adapters/database/database.js';
import type { SearchCache } from './cache.js';
import { type Filter, passingOf } from './passing.js';
import type { RankedCandidates } from './search-index.js';
import { best, type Scores } from './top.js';

/** Where a document stands: its namespace and its place in writing order. */
export interface Place {
  readonly namespaceId: string;
  readonly seq: number;
}

export interface Hit extends Place {
  readonly memoryId: string;
  /** In the arm's own measure: the cosine of the nearest chunk (−1 to 1), or BM25 (from 0). */
  readonly score: number;
}

/** The result of one arm of a search. */
export interface Arm {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** The scores in this arm of memories that the other arm has found; memories without a score are missing. */
  scoresOf(others: readonly Hit[]): Promise<readonly Hit[]>;
}

export const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.memoryId < b.memoryId ? -1 : 1);

/** A choice by scores that need no second look. */
export const byScores = (scores: readonly Scores[], documents: number): RankedCandidates => ({
  namespaceIds: [...new Set(scores.map((part) => part.namespaceId))],
  documents,
  choose: async (size, mayPass) => best(scores, size, mayPass && ((_, seq) => mayPass.has(seq))),
});

/** How many times what is looked at first may be looked at before all memories are compared with the filter. */
const patience = 25;

/**
 * Finds the best `limit` documents that pass a filter. `look` fetches those of a ranked list that pass it, at 20 to 30 µs
 * each in PGlite, so `first` of them to begin with, leaving out what an index or an earlier search has shown to fail. The share
 * of these that passes shows how many must be looked at. When that is many, all memories are compared with the filter, and
 * the best of those that do not fail are looked at. So a filter never silently loses a result.
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
  // Of those that pass, more are looked at than come with an answer: first scores are rough.
  const firstOfKnown = Math.max(first, 2 * limit);
  let mayCompare = true;
  for (let size = passing.mayPass() ? firstOfKnown : first; ; ) {
    const places = await choice.choose(size, passing.mayPass());
    const hits = await look(places);
    if (hits.length >= limit || places.length < size) return hits;
    passing.waste(places.length - hits.length);
    // As many as should hold enough by the share that has passed, and half as many again.
    const next = Math.min(choice.documents + 1, Math.max(2 * size, Math.ceil((1.5 * size * limit) / hits.length)));
    const compares: boolean = mayCompare && passing.worthComparing(next, patience * first);
    if (compares) await passing.compareAll();
    mayCompare &&= !compares;
    size = compares ? firstOfKnown : next;
  }
}

/**
 * SQL that gives the rows `d` of `search_documents` for the namespaces $1 and places $2. `offset 0` keeps it a look-up for
 * each: left to choose, the planner reads the whole table for its hash join, which took 14 of 18 ms at 4,000 memories.
 * Those that are still being added have no model yet.
 */
export const documentsAt = `unnest($1::uuid[], $2::bigint[]) r(namespace_id, seq) cross join lateral (
         select * from search_documents where namespace_id = r.namespace_id and seq = r.seq and model <> '' offset 0) d`;

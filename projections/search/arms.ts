import { toSql } from 'pgvector';
import type { Transaction, Value } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { modelKey, spaceOf } from './blocks.js';
import { documentsWith, scoreOfWords } from './bm25.js';
import type { SearchCache } from './cache.js';
import { type Filter, passingOf } from './passing.js';
import type { Place } from './place.js';
import type { Found, RankedCandidates, SearchIndex, VectorQuery, WordsQuery } from './search-index.js';
import { hasDirection, integersOf } from './vector-index.js';

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

const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.memoryId < b.memoryId ? -1 : 1);

/** Ranks memories by the cosine of their nearest chunk. pgvector compares the whole vectors of the candidates exactly. */
export async function denseArm(
  tx: Transaction,
  cache: SearchCache,
  candidates: CandidatesOf<'byVector'>,
  query: VectorQuery,
  { condition, limit }: Wanted,
): Promise<Arm> {
  if (!hasDirection(query.vector)) return { hits: [], scoresOf: async () => [] };
  const found = await candidates();
  const look = (places: readonly Place[]) => compare(tx, places, query, condition);
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

async function compare(tx: Transaction, places: readonly Place[], query: VectorQuery, filter: Filter): Promise<Hit[]> {
  const namespaceIds = [...new Set(places.map((one) => one.namespaceId))];
  const params: Value[] = [
    places.map((one) => namespaceIds.indexOf(one.namespaceId) + 1),
    places.map((one) => one.seq),
    namespaceIds,
    modelKey(query.model, query.vector.length),
    toSql(integersOf(query.vector)),
  ];
  const condition = filter((value) => `$${params.push(value)}`);
  // $5 already has the type vector. A cast from text would be repeated for each row and take 0.1 ms every time.
  const rows = await tx.query<{ memory_id: string; namespace_id: string; seq: number; score: number }>(
    `with spaces as materialized (
       select array_agg(${spaceOf('$4::text', 'n.id')} order by n.place) as hashes
         from unnest($3::uuid[]) with ordinality n(id, place))
     select v.memory_id::text, m.namespace_id::text, v.seq, max(1 - (v.embedding <=> $5::vector)) as score
       from spaces cross join unnest($1::integer[], $2::bigint[]) r(place, seq) cross join lateral (
         select * from search_vectors where space = spaces.hashes[r.place] and seq = r.seq offset 0) v
       join ${memoryRows} m on m.id = v.memory_id where ${condition} group by 1, 2, 3`,
    params,
  );
  return rows.map(({ memory_id: memoryId, namespace_id: namespaceId, seq, score }) => ({
    memoryId,
    namespaceId,
    seq,
    score,
  }));
}

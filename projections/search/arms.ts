import { toSql } from 'pgvector';
import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { memoryRows } from '../memory/rows.js';
import { modelKey, spaceOf } from './blocks.js';
import { curve } from './bm25.js';
import type { SearchCache } from './cache.js';
import type { Term } from './cached-values.js';
import type { Filter } from './passing.js';
import type { Place } from './place.js';
import { type Arm, bestPassing, byScore, documentsAt, type Hit } from './scope.js';
import type { Bm25, SearchIndex, VectorQuery, WordsQuery } from './search-index.js';
import { hasDirection, integersOf } from './vectors.js';

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

/** Ranks memories by the cosine of their nearest chunk. pgvector compares the whole vectors of the candidates exactly. */
export async function denseArm(
  tx: Transaction,
  { index, cache }: Searched,
  query: VectorQuery,
  { condition, limit }: Wanted,
): Promise<Arm> {
  if (!hasDirection(query.vector)) return { hits: [], scoresOf: async () => [] };
  const found = await index.candidates.byVector(tx, query);
  const look = (places: readonly Place[]) => compare(tx, places, query, condition);
  const hits = await bestPassing(tx, cache, found, condition, limit, limit, look);
  return {
    hits: hits.sort(byScore).slice(0, limit),
    async scoresOf(others) {
      // The codes are in memory and are exact enough, as these are not the nearest memories: comparing 40 whole vectors
      // takes 5 ms.
      const scored = others.map((other) => ({ ...other, score: found.cosineAt(other) }));
      return scored.filter(({ score }) => score > Number.NEGATIVE_INFINITY);
    },
  };
}

/**
 * Ranks memories that hold any word of the query by BM25 (Robertson and Zaragoza 2009). The statistics are those of the
 * memory's namespace, and the idf is ln(1 + (N − n + ½) / (n + ½)), which is never negative.
 */
export async function keywordArm(
  tx: Transaction,
  { index, cache }: Searched,
  query: WordsQuery,
  { condition, limit }: Wanted,
): Promise<Arm> {
  const found = await index.candidates.byWords(tx, query);
  const { unread } = found;
  const look = async (places: readonly Place[]): Promise<Hit[]> => {
    const rows = await lookUp(tx, places, [...new Set(unread.map((term) => term.lexeme))], condition);
    return rows.map((row) => {
      const place = { memoryId: row.memory_id, namespaceId: row.namespace_id, seq: row.seq };
      return { ...place, score: found.sumAt(place) + scoreOfUnread(row, unread, query.bm25) };
    });
  };
  const hits = await bestPassing(tx, cache, found, condition, limit, Math.ceil(1.25 * limit), look);
  return {
    hits: hits.sort(byScore).slice(0, limit),
    async scoresOf(others) {
      const scored =
        unread.length > 0 ? await look(others) : others.map((other) => ({ ...other, score: found.sumAt(other) }));
      return scored.filter(({ score }) => score > 0);
    },
  };
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

interface Found extends Record<string, unknown> {
  memory_id: string;
  namespace_id: string;
  seq: number;
  length: number;
  lexemes?: string[];
  frequencies?: number[];
}

/** Reads those documents of the list that pass the filter, with the frequencies of the words whose lists were not read. */
function lookUp(tx: Transaction, places: readonly Place[], words: readonly string[], filter: Filter): Promise<Found[]> {
  const params: Value[] = [places.map((one) => one.namespaceId), places.map((one) => one.seq)];
  const condition = filter((value) => `$${params.push(value)}`);
  // Columns that are not needed would cost as much as the look-up itself.
  const unread = words.length === 0 ? '' : ', w.lexemes, w.frequencies';
  const join =
    words.length === 0
      ? ''
      : `left join lateral (select coalesce(array_agg(u.lexeme), '{}') as lexemes,
                  coalesce(array_agg(cardinality(u.positions)), '{}') as frequencies
           from search_texts s cross join unnest(s.words) u
          where s.memory_id = d.memory_id and u.lexeme = any($${params.push(words)}::text[])) w on true`;
  return tx.query<Found>(
    `select d.memory_id::text, d.namespace_id::text, d.seq, d.length${unread}
       from ${documentsAt}
       join ${memoryRows} m on m.id = d.memory_id ${join} where ${condition}`,
    params,
  );
}

function scoreOfUnread(row: Found, unread: readonly Term[], bm25: Bm25): number {
  const { lexemes = [], frequencies = [] } = row;
  return unread
    .filter((term) => term.namespace_id === row.namespace_id)
    .reduce((sum, term) => {
      const { weight, base, slope } = curve(term, bm25);
      const frequency = lexemes.reduce((n, word, i) => n + (word === term.lexeme ? (frequencies[i] ?? 0) : 0), 0);
      return frequency === 0 ? sum : sum + (weight * frequency) / (frequency + base + slope * row.length);
    }, 0);
}

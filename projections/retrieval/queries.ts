import type { Row, Transaction } from '../../src/adapters/database/database.js';
import type { Filter } from '../../src/domain/filters.js';
import { filterWhere } from '../memory/filter-sql.js';
import { vectorText } from './index.js';

/** Where a search looks: namespaces, and which memories in them may be found. */
export interface Scope {
  readonly namespaceIds: readonly string[];
  readonly agentId: string | undefined;
  readonly filter: Filter;
}

/** A word of the query with its lexeme in one namespace's text configuration and how rare it is there. */
export interface Term extends Row {
  word: string;
  namespace_id: string;
  lexeme: string;
  idf: number;
}

/** Candidates per arm: enough that what neighbours lend can lift a memory into the first fifty. */
const candidates = 200;
/**
 * Postings that one search may read, rarest lexemes first. A lexeme beyond that is in so many memories that its idf
 * decides little between those that share a rarer word; it still counts for the candidates the others have found.
 */
const postingsBudget = 8000;

/**
 * The lexemes of `words` in every namespace, with idf = ln(1 + (N - n + 0.5) / (n + 0.5)) of Robertson and Zaragoza,
 * "The Probabilistic Relevance Framework" (2009). Stopped words and words nobody wrote are missing from the answer.
 */
export async function termsOf(
  tx: Transaction,
  namespaceIds: readonly string[],
  words: readonly string[],
): Promise<Term[]> {
  return tx.query<Term>(
    `select w.word, s.namespace_id::text, t.lexeme,
            ln(1 + (s.documents - t.documents + 0.5) / (t.documents + 0.5))::float8 as idf
       from unnest($2::text[]) as w(word)
       cross join search_namespaces s join namespaces n on n.id = s.namespace_id
       cross join lateral unnest(to_tsvector(n.text_config::regconfig, w.word)) as l
       join search_terms t on t.namespace_id = s.namespace_id and t.lexeme = l.lexeme
      where s.namespace_id = any($1::uuid[])`,
    [namespaceIds, words],
  );
}

/** The memories with the highest BM25, best first. */
export async function keywordCandidates(
  tx: Transaction,
  scope: Scope,
  terms: readonly Term[],
  constants: { readonly k1: number; readonly b: number },
): Promise<{ memoryId: string; bm25: number }[]> {
  if (terms.length === 0) return [];
  const where = filterWhere(scope.filter, scope.agentId, 6);
  return tx.query<{ memoryId: string; bm25: number }>(
    `with asked as (
       select distinct namespace_id, lexeme, idf
         from unnest($1::uuid[], $2::text[], $3::float8[]) as q(namespace_id, lexeme, idf)
     ), ordered as materialized (
       select a.*, s.total_length::float8 / s.documents as average,
              sum(t.documents) over (order by a.idf desc, a.lexeme, a.namespace_id) - t.documents as read_before
         from asked a
         join search_terms t on t.namespace_id = a.namespace_id and t.lexeme = a.lexeme
         join search_namespaces s on s.namespace_id = a.namespace_id
     ), found as materialized (
       select distinct p.memory_id from ordered o
         join search_postings p on p.namespace_id = o.namespace_id and p.lexeme = o.lexeme
         join memories m on m.id = p.memory_id
        where o.read_before < ${postingsBudget} and ${where.sql}
     )
     select p.memory_id::text as "memoryId",
            sum(o.idf * p.tf * ($4::float8 + 1)
              / (p.tf + $4::float8 * (1 - $5::float8 + $5::float8 * p.length / greatest(o.average, 1)))) as bm25
       from found f cross join ordered o
       join search_postings p
         on p.namespace_id = o.namespace_id and p.lexeme = o.lexeme and p.memory_id = f.memory_id
      group by p.memory_id order by bm25 desc, p.memory_id desc limit ${candidates}`,
    [
      terms.map((term) => term.namespace_id),
      terms.map((term) => term.lexeme),
      terms.map((term) => term.idf),
      constants.k1,
      constants.b,
      ...where.params,
    ],
  );
}

/** The memories with the highest cosine of any of their chunks, best first: an exact scan of the namespaces' vectors. */
export async function denseCandidates(
  tx: Transaction,
  scope: Scope,
  model: string,
  query: Float32Array,
): Promise<{ memoryId: string; cosine: number }[]> {
  const where = filterWhere(scope.filter, scope.agentId, 5);
  return tx.query<{ memoryId: string; cosine: number }>(
    `select memory_id::text as "memoryId", max(cosine) as cosine from (
       select v.memory_id, 1 - (v.embedding <=> $1::vector) as cosine
         from search_vectors v join memories m on m.id = v.memory_id
        where v.namespace_id = any($2::uuid[]) and v.model = $3 and ${where.sql}
        order by v.embedding <=> $1::vector limit $4) nearest
      group by memory_id order by cosine desc, memory_id desc`,
    [vectorText(query), scope.namespaceIds, model, candidates, ...where.params],
  );
}

/** Memories written up to `distance` places before or after a candidate in the same source or run, that may be found. */
export async function neighboursOf(
  tx: Transaction,
  scope: Scope,
  memoryIds: readonly string[],
  distance: number,
): Promise<{ memoryId: string; otherId: string; distance: number }[]> {
  const where = filterWhere(scope.filter, scope.agentId, 3);
  const side = (column: 'source' | 'run_id', compare: '<' | '>') => {
    const order = compare === '>' ? 'asc' : 'desc';
    return `select c.id as from_id, near.id as to_id, near.place from candidate c cross join lateral (
        select n.id, row_number() over (order by n.seq ${order}) as place from (
          select id, seq from memories o
           where o.namespace_id = c.namespace_id and o.${column} = c.${column} and o.seq ${compare} c.seq
           order by o.seq ${order} limit $2) n) near
       where c.${column} is not null`;
  };
  const sides = [side('source', '<'), side('source', '>'), side('run_id', '<'), side('run_id', '>')];
  return tx.query<{ memoryId: string; otherId: string; distance: number }>(
    `with candidate as (select id, namespace_id, source, run_id, seq from memories where id = any($1::uuid[])),
     pairs as (${sides.join(' union all ')})
     select p.from_id::text as "memoryId", p.to_id::text as "otherId", min(p.place) as distance
       from pairs p join memories m on m.id = p.to_id join jobs j on j.memory_id = m.id and j.stage = 'done'
      where ${where.sql} group by p.from_id, p.to_id order by 1, 2`,
    [memoryIds, distance, ...where.params],
  );
}

/** Which of the query's lexemes each memory has. */
export async function matchedLexemes(
  tx: Transaction,
  memoryIds: readonly string[],
  terms: readonly Term[],
): Promise<{ memory_id: string; lexeme: string }[]> {
  if (terms.length === 0) return [];
  return tx.query<{ memory_id: string; lexeme: string }>(
    `select p.memory_id::text, p.lexeme from unnest($1::uuid[], $2::text[]) as q(namespace_id, lexeme)
       join search_postings p on p.namespace_id = q.namespace_id and p.lexeme = q.lexeme
      where p.memory_id = any($3::uuid[]) group by p.memory_id, p.lexeme order by p.lexeme`,
    [terms.map((term) => term.namespace_id), terms.map((term) => term.lexeme), memoryIds],
  );
}

/** Whether memories of these namespaces still have vectors of another model than the one that is asked with. */
export async function lacksVectors(tx: Transaction, namespaceIds: readonly string[], model: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from search_vectors where namespace_id = any($1::uuid[]) and model <> $2 limit 1',
    [namespaceIds, model],
  );
  return rows.length > 0;
}

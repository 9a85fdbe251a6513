import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { best, type Scores } from './top.js';

/**
 * A condition on `memories m`, as SQL; `bind` takes a value and gives the placeholder that stands for it. Example:
 * `(bind) => \`m.agent_id = ${bind('a')} and not m.playground\``.
 */
export type Filter = (bind: (value: Value) => string) => string;

export const everything: Filter = () => 'true';

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

/** What one arm of a search has found. */
export interface Arm {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** What this arm makes of memories that the other one has found; those that it makes nothing of are missing. */
  scoresOf(others: readonly Hit[]): Promise<readonly Hit[]>;
}

export const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.memoryId < b.memoryId ? -1 : 1);

/** Documents with a first score, from which the best can be chosen. */
export interface Choice {
  readonly namespaceIds: readonly string[];
  readonly count: number;
  /** The `size` best of those allowed, in order. */
  choose(size: number, allowed?: (namespaceId: string, seq: number) => boolean): readonly Place[];
}

/** A choice by scores that need no second look. */
export const byScores = (scores: readonly Scores[]): Choice => ({
  namespaceIds: [...new Set(scores.map((part) => part.namespaceId))],
  count: scores.reduce((sum, part) => sum + part.count, 0),
  choose: (size, allowed) => best(scores, size, allowed),
});

/**
 * Finds the best `limit` documents that pass a filter. `look` fetches those of a ranked list that pass it, at 20 to 30 µs
 * each in PGlite, so `first` of them to begin with. When too few of these pass, five times as many are looked at; when those are
 * too few again, the filter is evaluated first, over the whole scope (0.2 s at 100,000 memories in PGlite), and the best of what
 * passes it are looked at. So a filter never silently loses a result.
 */
export async function bestPassing<T>(
  tx: Transaction,
  choice: Choice,
  filter: Filter,
  limit: number,
  first: number,
  look: (ranked: readonly Place[]) => Promise<T[]>,
): Promise<T[]> {
  for (const size of [first, 5 * first]) {
    const hits = await look(choice.choose(size));
    if (hits.length >= limit || choice.count <= size) return hits;
  }
  const allowed = await passing(tx, choice.namespaceIds, filter);
  return look(choice.choose(Math.max(first, 2 * limit), (id, seq) => allowed.get(id)?.has(seq) ?? false));
}

async function passing(
  tx: Transaction,
  namespaceIds: readonly string[],
  filter: Filter,
): Promise<Map<string, Set<number>>> {
  const params: Value[] = [namespaceIds];
  const condition = filter((value) => `$${params.push(value)}`);
  const rows = await tx.query<{ namespace_id: string; seqs: number[] }>(
    `select d.namespace_id::text, array_agg(d.seq) as seqs from search_documents d join memories m on m.id = d.memory_id
      where d.namespace_id = any($1::uuid[]) and (${condition}) group by 1`,
    params,
  );
  return new Map(rows.map((row) => [row.namespace_id, new Set(row.seqs)]));
}

/**
 * SQL that gives the rows `d` of `search_documents` for the namespaces $1 and places $2. `offset 0` keeps it a look-up for
 * each: left to choose, the planner reads the whole table for its hash join, which took 14 of 18 ms at 4,000 memories.
 */
export const documentsAt = `unnest($1::uuid[], $2::bigint[]) r(namespace_id, seq) cross join lateral (
         select * from search_documents where namespace_id = r.namespace_id and seq = r.seq offset 0) d`;

import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { best, type Scores } from './top.js';

/**
 * A condition on `memories m`, as SQL; `bind` takes a value and gives the placeholder that stands for it. Example:
 * `(bind) => \`m.agent_id = ${bind('a')} and not m.playground\``.
 */
export interface Filter {
  (bind: Bind): string;
  /**
   * SQL of the ids of all memories that may pass, when an index tells which they are; `namespaceIds` is the SQL of the
   * namespaces that are looked at.
   */
  readonly among?: ((bind: Bind, namespaceIds: string) => string) | undefined;
}

type Bind = (value: Value) => string;

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
 * each in PGlite, so `first` of them to begin with. The share of these that passes tells how many must be looked at. When that
 * is more than 25 times as many, all that pass are found first, by an index where there is one for the filter, and the best of
 * them are looked at. So a filter never silently loses a result.
 */
export async function bestPassing<T>(
  tx: Transaction,
  choice: Choice,
  filter: Filter,
  limit: number,
  first: number,
  look: (ranked: readonly Place[]) => Promise<T[]>,
): Promise<T[]> {
  for (let size = first; size <= 25 * first; ) {
    const hits = await look(choice.choose(size));
    if (hits.length >= limit || choice.count <= size) return hits;
    // As many as should hold enough by the share that has passed, and half as many again.
    size = Math.max(2 * size, Math.ceil((1.5 * size * limit) / hits.length));
  }
  const allowed = await passing(tx, choice.namespaceIds, filter);
  return look(choice.choose(Math.max(first, 2 * limit), (id, seq) => allowed.get(id)?.has(seq) ?? false));
}

type Passing = Promise<Map<string, Set<number>>>;

/** What passes, for both arms of a search: they look in one transaction, with one filter. */
const known = new WeakMap<Transaction, Map<Filter, { readonly namespaces: string; readonly passing: Passing }>>();

function passing(tx: Transaction, namespaceIds: readonly string[], filter: Filter): Passing {
  const namespaces = namespaceIds.toSorted().join(' ');
  const before = known.get(tx)?.get(filter);
  if (before?.namespaces === namespaces) return before.passing;
  const now = { namespaces, passing: findPassing(tx, namespaceIds, filter) };
  known.set(tx, (known.get(tx) ?? new Map()).set(filter, now));
  return now.passing;
}

/** Also of memories that are not in the index yet, which nobody will choose. */
async function findPassing(tx: Transaction, namespaceIds: readonly string[], filter: Filter): Passing {
  const params: Value[] = [namespaceIds];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const condition = filter(bind);
  const from = filter.among
    ? `(${filter.among(bind, '$1::uuid[]')}) c(id) cross join lateral (select * from memories where id = c.id offset 0) m`
    : 'memories m';
  const rows = await tx.query<{ namespace_id: string; seqs: number[] }>(
    `select m.namespace_id::text, array_agg(m.seq) as seqs from ${from}
      where m.namespace_id = any($1::uuid[]) and (${condition}) group by 1`,
    params,
  );
  return new Map(rows.map((row) => [row.namespace_id, new Set(row.seqs)]));
}

/**
 * SQL that gives the rows `d` of `search_documents` for the namespaces $1 and places $2. `offset 0` keeps it a look-up for
 * each: left to choose, the planner reads the whole table for its hash join, which took 14 of 18 ms at 4,000 memories.
 * Those that are still being added have no model yet.
 */
export const documentsAt = `unnest($1::uuid[], $2::bigint[]) r(namespace_id, seq) cross join lateral (
         select * from search_documents where namespace_id = r.namespace_id and seq = r.seq and model <> '' offset 0) d`;

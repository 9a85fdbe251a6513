import { filterSql } from '../../projections/memory/filter-sql.js';
import { invalidatedMatches, type SearchCache } from '../../projections/search/queries.js';
import type { Transaction } from '../database/database.js';
import type { Filter, HitFilter } from '../domain/filters.js';

/** The matches that a search does not return. */
export interface LeftOut {
  /** Hits among the best `k` for which the budget of tokens has no room. */
  readonly budget: number;
  /** Invalidated memories that have the words of the query and pass the rest of the filter. */
  readonly invalidated: number;
}

/** A memory with less of the words of the query, by their rarity, is not said to match it. */
const leastShare = 0.35;

interface Searched {
  readonly request: {
    readonly namespaceIds: readonly string[];
    readonly agentId: string | undefined;
    readonly filter: Filter;
    readonly hits: HitFilter;
  };
  readonly range: Parameters<typeof filterSql>[2];
}

type Words = Pick<Parameters<typeof invalidatedMatches>[2], 'classes' | 'tokens'>;

/** How many invalidated memories match. None is left out where the filter has them. */
export async function invalidatedLeftOut(
  tx: Transaction,
  cache: SearchCache,
  { request, range }: Searched,
  words: Words,
): Promise<number> {
  const { namespaceIds, agentId, filter, hits } = request;
  if (filter.leaves.include_invalidated === true) return 0;
  const also = { ...filter, leaves: { ...filter.leaves, include_invalidated: true } };
  return invalidatedMatches(tx, cache, {
    ...words,
    namespaceIds,
    filter: filterSql(also, agentId, range),
    least: Math.max(leastShare, hits.minScore),
  });
}

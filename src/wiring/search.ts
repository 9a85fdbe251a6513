import { rateLimits } from '../../contracts/limits.js';
import { databaseIndex, searchCache } from '../../projections/search/queries.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { openTokens } from '../adapters/tokens.js';
import { createSearch, type SearchParts } from '../commands/search.js';
import type { Config } from '../config.js';

interface SearchingParts
  extends Pick<SearchParts, 'world' | 'read' | 'readList' | 'readWithin' | 'run' | 'embedder' | 'vault'> {
  readonly limiter: RateLimiter;
  /** Whether some memories may still have vectors of another model only. */
  reembedding(): boolean;
}

/** The search: the one place that knows which index gives the candidates. */
export async function wireSearch({ searchArms: arms, rateLimits: limited }: Config, parts: SearchingParts) {
  const { limiter, reembedding, world, read, readList, readWithin, run, embedder, vault } = parts;
  const cache = searchCache();
  const searched = { cache, index: databaseIndex({ cache, reembedding }) };
  const budget = await openTokens();
  const search = createSearch({
    world,
    run,
    embedder,
    arms,
    budget,
    searched,
    vault,
    mayEmbed: async (workspaceId, day) =>
      !limited || (await limiter.count(rateLimits.queryEmbeddings, `${workspaceId} ${day}`)) === 0,
    read,
    readList,
    readWithin,
  });
  return { search, searched, budget };
}

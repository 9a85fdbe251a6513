import { rateLimits } from '../../contracts/limits.js';
import { searchCache } from '../../projections/search/queries.js';
import type { Database } from '../adapters/database/database.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { openTokens } from '../adapters/tokens.js';
import { createSearch, type SearchParts } from '../commands/search.js';
import type { Config } from '../config.js';
import type { World } from '../world.js';

/** What searches, and what was read of the index before, which lists by words use too. */
export async function wireSearch(
  { searchArms: arms, rateLimits: limited }: Config,
  world: World,
  { read }: Database,
  parts: Pick<SearchParts, 'run' | 'embedder' | 'vault'> & {
    limiter: RateLimiter;
    reembedding: { underWay(): boolean };
  },
) {
  const { limiter, reembedding, ...rest } = parts;
  const cache = searchCache();
  const search = createSearch({
    ...{ world, arms, budget: await openTokens(), read, cache, reindexing: reembedding.underWay, ...rest },
    mayEmbed: async (workspaceId, day) =>
      !limited || (await limiter.count(rateLimits.queryEmbeddings, `${workspaceId} ${day}`)) === 0,
  });
  return { search, searchCache: cache };
}

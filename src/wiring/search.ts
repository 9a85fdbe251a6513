import { rateLimits } from '../../contracts/limits.js';
import { databaseIndex, searchCache } from '../../projections/search/queries.js';
import type { Database } from '../adapters/database/database.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { openTokens } from '../adapters/tokens.js';
import { createSearch, type SearchParts } from '../commands/search.js';
import type { Config } from '../config.js';
import type { World } from '../world.js';

/** What searches: the one place that knows which index gives the candidates. */
export async function wireSearch(
  { searchArms: arms, rateLimits: limited }: Config,
  world: World,
  { read }: Database,
  parts: Pick<SearchParts, 'run' | 'embedder' | 'vault'> & {
    limiter: RateLimiter;
    reembedding: { underWay(): boolean };
  },
) {
  const { limiter, reembedding, run, embedder, vault } = parts;
  const cache = searchCache();
  const searched = { cache, index: databaseIndex({ cache, reembedding: reembedding.underWay }) };
  const search = createSearch({
    world,
    run,
    embedder,
    arms,
    budget: await openTokens(),
    searched,
    vault,
    mayEmbed: async (workspaceId, day) =>
      !limited || (await limiter.count(rateLimits.queryEmbeddings, `${workspaceId} ${day}`)) === 0,
    read,
  });
  return { search, searched };
}

import { linkedAgent } from '../../projections/agents/queries.js';
import { liveGrant } from '../../projections/grants/queries.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { openMessageReader } from '../adapters/threads/bodies.js';
import type { RateLimits } from '../api/rate-limits.js';
import type { Services } from '../api/services.js';
import { packageVersion } from '../base/version.js';
import type { World } from '../base/world.js';
import type { Database, Transaction } from '../database/database.js';
import { createOrigins } from '../http/cross-origin.js';
import { createNamedAgent } from '../http/identify.js';
import { createIdentifyMcp } from '../http/identify-mcp.js';
import type { McpMount } from '../http/mcp.js';
import type { IdentifyMcp, VerifyAccessToken } from '../mcp/credentials.js';
import { createRegistry } from '../mcp/offer.js';
import { createMcp } from '../mcp/protocol/endpoint.js';
import { createMessageRates, noMessageRates } from '../mcp/protocol/rates.js';
import type { Config } from '../settings/config.js';
import type { KnownKeys } from './known-keys.js';
import { notedUses } from './noted-uses.js';

interface Parts {
  readonly services: Services;
  readonly rateLimits: RateLimits;
  readonly limiter: RateLimiter;
  readonly identify: IdentifyMcp;
}

/** The MCP server, and the reader of its messages. */
export function wireMcp(config: Config, { services, rateLimits, limiter, identify }: Parts) {
  const { baseUrl, memoryApi } = config;
  const messages = openMessageReader();
  const registry = createRegistry(config);
  const { websiteUrl, icons } = registry;
  const rates = config.rateLimits ? createMessageRates(limiter) : noMessageRates;
  const mcp: McpMount = {
    baseUrl,
    origins: createOrigins(baseUrl, config.mcpAllowedOrigins),
    identify,
    rates,
    answer: createMcp({
      services,
      rateLimits,
      registry,
      rates,
      memoryApi,
      server: {
        name: 'counterfoil',
        title: 'Counterfoil',
        version: packageVersion(),
        websiteUrl,
        ...(icons.length > 0 && { icons }),
      },
      readMessages: messages.read,
    }),
  };
  return { mcp, messages };
}

interface Core {
  readonly world: World;
  readonly database: Database;
  /** Where uses are written, behind the statements of requests. */
  readonly background: Database;
  readonly knownKeys: KnownKeys;
}

/** How /mcp finds out who calls. */
export function wireIdentifyMcp(
  { world, database, background, knownKeys }: Core,
  verifyAccessToken: VerifyAccessToken,
): IdentifyMcp {
  const lookUp = <T>(begun: () => void, query: (tx: Transaction) => Promise<T>): Promise<T> =>
    database.readEach((tx) => {
      begun();
      return query(tx);
    });
  return createIdentifyMcp({
    findAgentKey: knownKeys.findAgentKey,
    findGrant: (id, begun) => lookUp(begun, (tx) => liveGrant(tx, id, world.now())),
    verifyAccessToken,
    namedAgent: createNamedAgent((id, by) => database.readEach((tx) => linkedAgent(tx, id, by))),
    noteUse: notedUses({ world, background }),
  });
}

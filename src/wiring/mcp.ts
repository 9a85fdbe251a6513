import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { openMessageReader } from '../adapters/threads/bodies.js';
import type { RateLimits } from '../api/rate-limits.js';
import type { Services } from '../api/services.js';
import { packageRoot } from '../base/package-root.js';
import { createOrigins } from '../http/cross-origin.js';
import type { McpMount } from '../http/mcp.js';
import type { IdentifyMcp } from '../mcp/credentials.js';
import { createRegistry } from '../mcp/offer.js';
import { createMcp } from '../mcp/protocol/endpoint.js';
import { createMessageRates, noMessageRates } from '../mcp/protocol/rates.js';
import type { Config } from '../settings/config.js';

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
        version: version(),
        websiteUrl,
        ...(icons.length > 0 && { icons }),
      },
      readMessages: messages.read,
    }),
  };
  return { mcp, messages };
}

function version(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return version;
}

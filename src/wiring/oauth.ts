import type { Logger } from 'pino';
import type { Database } from '../adapters/database/database.js';
import { openAuthorizationServer } from '../adapters/oauth/server.js';
import type { AuthorizationServer } from '../api/authorization.js';
import type { Config } from '../config.js';
import { sharedSecret } from '../start/bootstrap.js';
import type { World } from '../world.js';

interface OAuthParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Logger;
}

/** The authorization server for MCP clients. */
export async function wireOAuth(
  { baseUrl }: Config,
  { database, world, log }: OAuthParts,
): Promise<AuthorizationServer> {
  const cookieKey = Buffer.from(await sharedSecret(database, world, 'oauth cookies')).toString('hex');
  return openAuthorizationServer({
    database,
    world,
    log,
    issuer: baseUrl,
    cookieKey,
    grants: { isLive: async () => true, end: async () => undefined },
  });
}

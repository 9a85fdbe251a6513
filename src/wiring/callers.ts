import { linkedAgent } from '../../projections/agents/queries.js';
import type { Outside } from '../adapters/outside.js';
import { openPasswords } from '../adapters/passwords/passwords.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { createRateLimits, noRateLimits } from '../api/rate-limits.js';
import type { ForAccess } from '../api/services.js';
import { providerCallbackPath, providerPath } from '../api/session/provider.js';
import { createSessions } from '../api/session/sessions.js';
import { fileLimit } from '../base/file-limit.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { connectionsWithin } from '../http/connections.js';
import { createCredentials } from '../http/credentials.js';
import { createOrigins } from '../http/cross-origin.js';
import { createIdentify, createNamedAgent } from '../http/identify.js';
import type { ServerParts } from '../http/server.js';
import { createAttemptCookie, createSessionCookie } from '../http/session-cookie.js';
import type { Config } from '../settings/config.js';
import type { KnownKeys } from './known-keys.js';
import { notedSessions, notedUses } from './noted-uses.js';
import { notingFirstUse } from './start/noting-first-use.js';
import type { SharedSecret } from './start/secrets.js';

interface Core {
  readonly world: World;
  readonly log: { warn(facts: object, text: string): void };
  readonly database: Database;
  readonly secret: SharedSecret;
  readonly background: Database;
  readonly limiter: RateLimiter;
  readonly outside: Outside;
  readonly knownKeys: KnownKeys;
}

interface Wired {
  /** The services of the operations on sessions and passwords. */
  readonly signingIn: Pick<ForAccess, 'passwords' | 'sessions' | 'signInAttempts' | 'providerSignIn'>;
  /** How the server finds out who calls, and which calls it takes. */
  readonly callers: Omit<
    ServerParts,
    'log' | 'services' | 'mcp' | 'pages' | 'authorizationServer' | 'observe' | 'running' | 'vendorPlatforms'
  >;
  readonly passwords: ReturnType<typeof openPasswords>;
}

/** The people and keys that may call, and how often each may. */
export async function wireCallers(
  { oidc, baseUrl, rateLimits, trustProxy, corsOrigins, memoryApi }: Config,
  { world, log, database, secret, background, limiter, outside, knownKeys }: Core,
): Promise<Wired> {
  const cookies = {
    session: createSessionCookie(await secret('sessions'), baseUrl, world.now),
    signInAttempt: createAttemptCookie(await secret('attempts'), baseUrl, providerPath, world.now),
  };
  const passwords = openPasswords(world.passwordCosts);
  const found = createSessions({ database, world, attempts: limiter, passwords });
  const namedAgent = createNamedAgent((id, by) => database.readEach((tx) => linkedAgent(tx, id, by)));
  const byKey = createIdentify(knownKeys.find, namedAgent);
  const noteUse = { key: notedUses({ world, background }), session: notedSessions({ world, background }) };
  const { sessions, credentials } = await notingFirstUse(database, {
    sessions: found,
    credentials: createCredentials({ byKey, namedAgent, sessions: found, cookie: cookies.session, baseUrl, noteUse }),
  });
  return {
    signingIn: {
      passwords,
      sessions,
      signInAttempts: limiter,
      providerSignIn: oidc ? await signInWith(oidc, { baseUrl, outside, log }) : null,
    },
    callers: {
      credentials,
      cookies,
      rateLimits: rateLimits ? createRateLimits(limiter) : noRateLimits,
      trustProxy,
      pageOrigins: createOrigins(baseUrl, corsOrigins),
      memoryApi,
      maxConnections: connectionsWithin(fileLimit()),
      boundsAddresses: rateLimits,
    },
    passwords,
  };
}

/** Its client is loaded only where a provider is set. */
async function signInWith(
  oidc: NonNullable<Config['oidc']>,
  { baseUrl, outside, log }: Pick<Config, 'baseUrl'> & Pick<Core, 'outside' | 'log'>,
): Promise<NonNullable<ForAccess['providerSignIn']>> {
  const [{ openOidcProvider }, { createProviderSignIn }] = await Promise.all([
    import('../adapters/oidc.js'),
    import('./provider-sign-in.js'),
  ]);
  const provider = openOidcProvider(oidc, `${baseUrl}${providerCallbackPath}`, outside.ask);
  return createProviderSignIn(provider, { issuer: oidc.issuer, baseUrl, log });
}

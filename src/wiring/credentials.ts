import { keyBySecretHash } from '../../projections/account/queries.js';
import { linkedAgent } from '../../projections/agents/queries.js';
import type { Database } from '../adapters/database/database.js';
import { openOidcProvider } from '../adapters/oidc.js';
import { openPasswords } from '../adapters/passwords/passwords.js';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { createRateLimits, noRateLimits } from '../api/rate-limits.js';
import type { Run } from '../commands/run.js';
import type { Config } from '../config.js';
import { createIdentify, createNamedAgent } from '../http/identify.js';
import { oidcCallbackPath, oidcPath } from '../http/oidc.js';
import { createOwnAccount } from '../http/own-account.js';
import { createAttemptCookie, createSessionCookie } from '../http/session-cookie.js';
import { createCredentials, createSessions } from '../http/sessions.js';
import { sharedSecret } from '../start/bootstrap.js';
import { notingFirstUse } from '../start/first-credentials.js';
import type { World } from '../world.js';
import { createProviderSignIn } from './provider-sign-in.js';

interface CredentialParts {
  readonly database: Database;
  readonly world: World;
  readonly run: Run;
  readonly limiter: RateLimiter;
}

/** The people and keys that may call, and how often each may. */
export async function wireCredentials({ oidc, baseUrl, rateLimits }: Config, parts: CredentialParts) {
  const { database, world, run, limiter } = parts;
  const passwords = openPasswords(world.passwordCosts);
  const cookie = createSessionCookie(await sharedSecret(database, world, 'sessions'), baseUrl, world.now);
  const sessions = createSessions({ database, world, cookie, attempts: limiter, passwords, baseUrl });
  const agents = createNamedAgent((id, by) => database.read((tx) => linkedAgent(tx, id, by)));
  const findKey = (hash: string, begun: () => void) =>
    database.read((tx) => {
      begun();
      return keyBySecretHash(tx, hash);
    });
  const byKey = createIdentify(findKey, agents);
  const attempts = createAttemptCookie(await sharedSecret(database, world, 'attempts'), baseUrl, oidcPath, world.now);
  const provider = oidc && openOidcProvider(oidc, `${baseUrl}${oidcCallbackPath}`);
  const noting = await notingFirstUse(database, {
    sessions,
    identify: createCredentials(byKey, sessions, cookie, agents),
  });
  return {
    passwords,
    account: createOwnAccount({ database, world, run, sessions, attempts: limiter, passwords }),
    identify: noting.identify,
    sessions: noting.sessions,
    providerSignIn: provider ? createProviderSignIn({ provider, attempts, sessions: noting.sessions, baseUrl }) : null,
    rateLimits: rateLimits ? createRateLimits(limiter.count) : noRateLimits,
  };
}

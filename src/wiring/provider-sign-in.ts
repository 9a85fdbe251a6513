import { Refusal } from '../../contracts/errors.js';
import { Unavailable } from '../adapters/bounded-fetch.js';
import { NotAuthenticated, type OidcProvider } from '../adapters/oidc.js';
import type { ProviderSignIn } from '../api/services.js';

/** Signs in members whom the provider authenticates; it makes no new members. */
export function createProviderSignIn(provider: OidcProvider, issuer: string, baseUrl: string): ProviderSignIn {
  return {
    name: new URL(issuer).host,
    home: `${baseUrl}/`,
    begin: () => provider.begin().catch(asRefusal),
    async verifiedEmail(attempt, query) {
      if (!attempt) {
        throw new Refusal(
          'invalid_session',
          'This sign-in was not begun in this browser, or too long ago. Begin again.',
        );
      }
      const email = await provider.verifiedEmail(query, attempt).catch(asRefusal);
      if (email === null)
        throw new Refusal('invalid_session', 'The provider names no e-mail address that it has verified.');
      return email;
    },
  };
}

/** The provider's own message is not passed on: it may hold tokens. */
function asRefusal(error: unknown): never {
  if (error instanceof NotAuthenticated) {
    throw new Refusal('invalid_session', 'The provider does not confirm this sign-in. Begin again.');
  }
  if (error instanceof Unavailable)
    throw new Refusal('not_ready', 'The provider of sign-ins does not answer. Retry shortly.');
  throw error;
}

import { Unavailable } from '../adapters/bounded-fetch.js';
import { NotAuthenticated, type OidcProvider } from '../adapters/oidc.js';
import type { ProviderSignIn } from '../api/services.js';
import type { ProviderProblem } from '../api/session/provider-problems.js';

interface Around {
  readonly issuer: string;
  readonly baseUrl: string;
  readonly log: { warn(facts: object, text: string): void };
}

/** Signs in members whom the provider authenticates; it makes no new members. */
export function createProviderSignIn(provider: OidcProvider, { issuer, baseUrl, log }: Around): ProviderSignIn {
  /** The provider's own message is not passed on, because it may hold tokens; the log has what the operator needs. */
  function problemOf(error: unknown): { readonly problem: ProviderProblem } {
    if (!(error instanceof NotAuthenticated || error instanceof Unavailable)) throw error;
    const problem = error instanceof NotAuthenticated ? error.doubt : 'no_answer';
    const detail = error instanceof NotAuthenticated ? error.detail : error.message;
    log.warn({ problem, detail }, 'a sign-in with the OpenID Connect provider was refused');
    return { problem };
  }
  return {
    name: new URL(issuer).host,
    home: `${baseUrl}/`,
    begin: () => provider.begin().catch(problemOf),
    verifiedEmail: (attempt, query) => provider.verifiedEmail(query, attempt).then((email) => ({ email }), problemOf),
  };
}

import * as client from 'openid-client';
import { emailAddress } from '../../contracts/members.js';
import { fetchWithin, Unavailable } from './bounded-fetch.js';

export interface OidcSetting {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a sign-in is begun with and must come back to. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider does not vouch for whoever comes back, or somebody has changed what came back. */
export class NotAuthenticated extends Error {}

export interface OidcProvider {
  begin(): Promise<{ attempt: SignInAttempt; location: string }>;
  /** @returns an address that the provider has verified, null where it has none. @throws NotAuthenticated, Unavailable */
  verifiedEmail(query: string, attempt: SignInAttempt): Promise<string | null>;
}

const timeoutSeconds = 10;
/** Of its metadata, its keys, or the tokens of one sign-in: some kilobytes each. */
const maxBytes = 1024 * 1024;
/** How far the clock of the provider may be ahead of ours. */
const aheadSeconds = 60;

/**
 * An OpenID Connect provider, asked for what it can do when somebody signs in first: one that is down does not stop the start.
 * @param callback where the provider sends people back to
 */
export function openOidcProvider({ issuer, clientId, clientSecret }: OidcSetting, callback: string): OidcProvider {
  const answers = fetchWithin(maxBytes);
  let known: Promise<client.Configuration> | undefined;
  const discovered = () => {
    // readConfig lets http through for loopback addresses only.
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    // ID tokens are believed for their signature too, not only for the connection that they came over.
    const execute = [client.enableNonRepudiationChecks, ...insecure];
    known ??= client.discovery(new URL(issuer), clientId, clientSecret, authentication(clientSecret), {
      timeout: timeoutSeconds,
      execute,
      [client.customFetch]: (url, { body, ...init }) => answers(url, { ...init, ...(body == null ? {} : { body }) }),
    });
    return known.catch((error: unknown) => {
      known = undefined;
      throw new Unavailable('the provider of sign-ins cannot be asked', { cause: error });
    });
  };
  return {
    async begin() {
      const configuration = await discovered();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const verifier = client.randomPKCECodeVerifier();
      const location = client.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: callback, scope: 'openid email', state, nonce },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
      return { attempt: { state, nonce, verifier }, location: location.href };
    },
    async verifiedEmail(query, { state, nonce, verifier }) {
      const configuration = await discovered();
      try {
        const tokens = await client.authorizationCodeGrant(configuration, new URL(`${callback}?${query}`), {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        });
        const claims = tokens.claims();
        if (!claims || !isForUs(claims, clientId)) throw new NotAuthenticated();
        const { email, email_verified: verified } =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        const address = emailAddress.safeParse(email);
        return verified === true && address.success ? address.data : null;
      } catch (error) {
        throw isAway(error) ? new Unavailable('the provider of sign-ins does not answer') : new NotAuthenticated();
      }
    },
  };
}

/** With the secret in a header, as is the default of OpenID Connect, unless the provider says that it takes only forms. */
function authentication(clientSecret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const onlyForms = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    (onlyForms ? post : basic)(server, ...request);
  };
}

/** What the library leaves open: a token that names one audience may name another party, and may be of tomorrow. */
function isForUs({ azp, iat }: client.IDToken, clientId: string): boolean {
  return (azp === undefined || azp === clientId) && iat <= Date.now() / 1000 + aheadSeconds;
}

/** A connection that fails is whatever fetch throws; an answer of the provider that is its own fault has a status of 5xx. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Unavailable) return true;
  if (error.name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed')) return true;
  if (error instanceof client.ClientError) {
    return error.code === 'OAUTH_TIMEOUT' || isAway(error.cause) || statusOf(error.cause) >= 500;
  }
  return error instanceof client.ResponseBodyError && error.status >= 500;
}

const statusOf = (cause: unknown): number => (cause instanceof Response ? cause.status : 0);

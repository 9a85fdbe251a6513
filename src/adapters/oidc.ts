import * as client from 'openid-client';
import { emailAddress } from '../../contracts/members.js';
import { DeadlinePassed, withDeadline } from '../base/deadline.js';
import type { OidcSetting } from '../settings/peers.js';
import { type BoundedFetch, boundedFetch, Unavailable } from './bounded-fetch.js';

/** The values that a sign-in begins with and that its answer must match. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider did not authenticate the person, or its answer was changed on the way. */
export class NotAuthenticated extends Error {}

export interface OidcProvider {
  begin(): Promise<{ attempt: SignInAttempt; location: string }>;
  /** @returns an address that the provider has verified, null where it has none. @throws NotAuthenticated, Unavailable */
  verifiedEmail(query: string, attempt: SignInAttempt): Promise<string | null>;
}

/** The limit for one request to the provider, and for all requests of one sign-in together. */
const deadlines = { requestMs: 10_000, signInMs: 15_000 };
/** The limit for the provider's metadata, its keys, or the tokens of one sign-in, which have some kilobytes each. */
const maxBytes = 1024 * 1024;
/** The largest difference by which the clock of the provider may be ahead of ours. */
const aheadSeconds = 60;

/**
 * An OpenID Connect provider. Its metadata is fetched at the first sign-in, so a provider that is not available does
 * not stop the start.
 * @param callback the address to which the provider sends people back
 */
export function openOidcProvider(
  { issuer, clientId, clientSecret }: OidcSetting,
  callback: string,
  ask: BoundedFetch = boundedFetch,
): OidcProvider {
  let known: Promise<client.Configuration> | undefined;
  const discovered = () => {
    // readConfig accepts http only for loopback addresses.
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    // The signature of ID tokens is checked too, in addition to the security of the connection.
    const execute = [client.enableNonRepudiationChecks, ...insecure];
    known ??= client.discovery(new URL(issuer), clientId, clientSecret, authentication(clientSecret), {
      timeout: deadlines.requestMs / 1000,
      execute,
      [client.customFetch]: (url, request) => responseOf(ask, url, request),
    });
    return known.catch((error: unknown) => {
      known = undefined;
      throw new Unavailable('the provider of sign-ins cannot be reached', { cause: error });
    });
  };

  async function emailOf(query: string, { state, nonce, verifier }: SignInAttempt): Promise<string | null> {
    const configuration = await discovered();
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${callback}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || !isForUs(claims, clientId)) throw new NotAuthenticated();
    const { email, email_verified: verified } =
      claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    const address = emailAddress.safeParse(email);
    return verified === true && address.success ? address.data : null;
  }

  return {
    async begin() {
      const configuration = await discovered();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const verifier = client.randomPKCECodeVerifier();
      const location = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { attempt: { state, nonce, verifier }, location: location.href };
    },
    async verifiedEmail(query, attempt) {
      try {
        return await withDeadline(deadlines.signInMs, () => emailOf(query, attempt));
      } catch (error) {
        throw isUnavailable(error)
          ? new Unavailable('the provider of sign-ins does not answer')
          : new NotAuthenticated();
      }
    },
  };
}

/** A request of the library, within the limits for others. Its own time limit is the same as ours. */
async function responseOf(ask: BoundedFetch, url: string, request: client.CustomFetchOptions): Promise<Response> {
  const { status, headers, body } = await ask(url, {
    method: request.method === 'POST' ? 'POST' : 'GET',
    headers: request.headers,
    ...(request.body == null ? {} : { body: await new Response(request.body).text() }),
    timeoutMs: deadlines.requestMs,
    maxBytes,
  });
  // A status without a body may not get one, not even an empty one.
  return new Response(body.length === 0 ? null : Buffer.from(body), { status, headers });
}

/** Sends the secret in a header, the default of OpenID Connect, unless the provider says that it accepts only forms. */
function authentication(clientSecret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const onlyForms = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    (onlyForms ? post : basic)(server, ...request);
  };
}

/** Checks what the library does not: that the token was issued to this client (`azp`), and not in the future (`iat`). */
function isForUs({ azp, iat }: client.IDToken, clientId: string): boolean {
  return (azp === undefined || azp === clientId) && iat <= Date.now() / 1000 + aheadSeconds;
}

/** Whether the provider is not available: the connection failed, or it answered with a status of 5xx. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Unavailable || error instanceof DeadlinePassed) return true;
  if (error.name === 'TimeoutError' || (error instanceof TypeError && error.message === 'fetch failed')) return true;
  if (error instanceof client.ClientError) {
    return error.code === 'OAUTH_TIMEOUT' || isUnavailable(error.cause) || statusOf(error.cause) >= 500;
  }
  return error instanceof client.ResponseBodyError && error.status >= 500;
}

const statusOf = (cause: unknown): number => (cause instanceof Response ? cause.status : 0);

import * as client from 'openid-client';
import { emailAddress } from '../../contracts/members.js';
import { DeadlinePassed, withDeadline } from '../base/deadline.js';
import type { OidcSetting } from '../settings/peers.js';
import { type BoundedFetch, boundedFetch, Unavailable } from './bounded-fetch.js';
import { freshAnswer } from './fresh-answer.js';
import { detailOf, isNamedOtherwise, namesIn, withOtherSlash } from './oidc-failures.js';

/** The values that a sign-in begins with and that its answer must match. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The reasons for which the provider's answer is not taken. */
type Doubt =
  | 'denied'
  | 'not_confirmed'
  | 'no_address'
  | 'not_verified'
  | 'verified_missing'
  | 'verified_text'
  | 'other_issuer';

/** The provider did not authenticate the person or verify the address, or its answer was changed on the way. */
export class NotAuthenticated extends Error {
  override name = 'NotAuthenticated';
  /** @param detail for the log: it holds no token and no address */
  constructor(
    readonly doubt: Doubt,
    readonly detail: string,
  ) {
    super(`${doubt}: ${detail}`);
  }
}

export interface OidcProvider {
  /** @throws NotAuthenticated other_issuer, Unavailable */
  begin(): Promise<{ attempt: SignInAttempt; location: string }>;
  /** @returns an address that the provider has verified. @throws NotAuthenticated, Unavailable */
  verifiedEmail(query: string, attempt: SignInAttempt): Promise<string>;
}

/** The limit for one request to the provider, and for all requests of one sign-in together. */
const deadlines = { requestMs: 10_000, signInMs: 15_000 };
/** The limit for the provider's metadata, its keys, or the tokens of one sign-in, which have some kilobytes each. */
const maxBytes = 1024 * 1024;
/** The largest difference by which the clock of the provider may be ahead of ours. */
const aheadSeconds = 60;

/**
 * An OpenID Connect provider. Its metadata is fetched at the first sign-in, so a provider that is not available does
 * not stop the start, and again after an hour or when a sign-in has failed: its endpoints may have moved.
 * @param callback the address to which the provider sends people back
 * @param now of a clock that is never set, in milliseconds
 */
export function openOidcProvider(
  { issuer, clientId, clientSecret, assumesVerified }: OidcSetting,
  callback: string,
  ask: BoundedFetch = boundedFetch,
  now: () => number = () => performance.now(),
): OidcProvider {
  const auth = authentication(clientSecret);
  const fetchWithin: client.CustomFetch = (url, request) => responseOf(ask, url, request);
  // readConfig accepts http only for loopback addresses.
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];

  const options = { timeout: deadlines.requestMs / 1000, execute: insecure, [client.customFetch]: fetchWithin };
  const discover = async (name: string) =>
    (await client.discovery(new URL(name), clientId, clientSecret, auth, options)).serverMetadata();
  const metadata = freshAnswer(() => byEitherName(issuer, discover), now);

  async function discovered(): Promise<client.Configuration> {
    const server = await metadata.get().catch((error: unknown) => {
      if (isNamedOtherwise(error)) throw new NotAuthenticated('other_issuer', namesIn(error, issuer));
      throw new Unavailable(`the provider of sign-ins cannot be reached: ${detailOf(error)}`, { cause: error });
    });
    // Made for each sign-in, because a configuration remembers the keys of the provider, which may have been rotated.
    const configuration = new client.Configuration(server, clientId, clientSecret, auth);
    configuration.timeout = deadlines.requestMs / 1000;
    configuration[client.customFetch] = fetchWithin;
    // The signature of ID tokens is checked too, in addition to the security of the connection.
    for (const extend of [client.enableNonRepudiationChecks, ...insecure]) extend(configuration);
    return configuration;
  }

  async function emailOf(query: string, { state, nonce, verifier }: SignInAttempt): Promise<string> {
    const configuration = await discovered();
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${callback}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || !isForUs(claims, clientId)) {
      throw new NotAuthenticated('not_confirmed', 'the ID token is for another party (azp) or of the future (iat)');
    }
    const inToken = readAddress(claims, assumesVerified);
    // What the token itself says is enough, also that the address is not verified. Many providers say it in userinfo only.
    if ('email' in inToken || inToken.doubt === 'not_verified') return addressOrDoubt(inToken);
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return addressOrDoubt(inToken);
    const info = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    const inUserinfo = readAddress(info, assumesVerified);
    return addressOrDoubt(info.email === undefined ? inToken : inUserinfo);
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
        if (error instanceof NotAuthenticated) throw error;
        metadata.doubt();
        if (isUnavailable(error)) {
          throw new Unavailable(`the provider of sign-ins does not answer: ${detailOf(error)}`, { cause: error });
        }
        const isDenied = new URLSearchParams(query).get('error') === 'access_denied';
        throw new NotAuthenticated(isDenied ? 'denied' : 'not_confirmed', detailOf(error));
      }
    },
  };
}

/** The metadata of the provider, with a slash at the end of its name or without. */
async function byEitherName<T>(issuer: string, discover: (name: string) => Promise<T>): Promise<T> {
  try {
    return await discover(issuer);
  } catch (error) {
    if (!isNamedOtherwise(error)) throw error;
    return discover(withOtherSlash(issuer)).catch(() => Promise.reject(error));
  }
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

type Read = { readonly email: string } | { readonly doubt: Doubt };

/** The address in claims, if they say that the provider has verified it. */
function readAddress({ email, email_verified: verified }: Claims, assumesVerified: boolean): Read {
  const address = emailAddress.safeParse(email);
  if (!address.success) return { doubt: 'no_address' };
  if (verified === true) return { email: address.data };
  if (verified === undefined || verified === null || verified === 'true') {
    if (assumesVerified) return { email: address.data };
    return { doubt: verified === 'true' ? 'verified_text' : 'verified_missing' };
  }
  return { doubt: 'not_verified' };
}

interface Claims {
  readonly [name: string]: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

function addressOrDoubt(read: Read): string {
  if ('email' in read) return read.email;
  throw new NotAuthenticated(read.doubt, 'the claims email and email_verified of the ID token or of userinfo');
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

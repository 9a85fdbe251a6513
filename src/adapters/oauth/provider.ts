import { createHmac } from 'node:crypto';
import type Provider from 'oidc-provider';
import type { Client, Configuration, KoaContextWithOIDC, RefreshToken } from 'oidc-provider';
import type { Logger } from 'pino';
import { grantScopes } from '../../../contracts/grants.js';
import { limits } from '../../../contracts/limits.js';
import { consentPath, oauthPaths, oauthSeconds } from '../../../contracts/oauth.js';
import { isLoopback, redirectKind } from '../../domain/oauth-redirect.js';
import { UnusableDocument } from './documents.js';
import type { SigningKey } from './keys.js';
import type { Library } from './library.js';
import { createState, type Grants, retryable, type StateParts, secretHash } from './state.js';

export interface ProviderParts extends StateParts {
  readonly grants: Grants;
  /** The only resource that tokens are issued for. */
  readonly resource: string;
  /** The secret of the cookies, of all processes. */
  readonly cookieKey: string;
  /** Fetches metadata documents of clients; null when they are not taken. */
  readonly fetchDocument: Configuration['fetch'] | null;
  readonly log: Pick<Logger, 'error'>;
  /** The page for a person whose browser cannot be sent back to the client. */
  readonly errorPage: ErrorPage;
}

interface ErrorPage {
  readonly headers: Readonly<Record<string, string>>;
  text(sentence: string, code: string): string;
}

/** Seconds to wait, by the status of an answer. The clients that stop others from registering expire over a day. */
const retryAfter = new Map([
  [429, 3600],
  [503, 1],
]);

const ownScopes: readonly string[] = ['offline_access', ...grantScopes];

/** The library, set up for MCP clients. With other signing keys it has to be made again. */
export function createProvider(library: Library, keys: readonly SigningKey[], parts: ProviderParts): Provider {
  const { issuer, log, cookieKey } = parts;
  const provider = new library.default(issuer, configurationOf(library, keys, parts));
  // Addresses are made of these headers, which `answer` sets to the address of the service.
  provider.proxy = true;
  provider.on('server_error', (_context, error) => log.error({ err: error }, 'the authorization server failed'));
  provider.on('grant.error', (context, error) => {
    const sentence = sentenceOf(error);
    if (sentence !== undefined) context.body = { error: error.message, error_description: sentence };
  });
  // Without this the framework below prints errors.
  provider.silent = true;
  provider.use(async (context, next) => {
    await next();
    removeSessionCookie(context, provider.cookieName('session'));
    nameOwnScopes(context);
    const seconds = retryAfter.get(context.status);
    if (seconds !== undefined) context.set('Retry-After', String(seconds));
  });
  const { prototype } = provider.Client;
  prototype.compareClientSecret = function compare(this: Client, actual) {
    return this.clientSecret === secretHash(actual);
  };
  succeedAlike(library, provider, cookieKey);
  const exactly = prototype.redirectUriAllowed;
  prototype.redirectUriAllowed = function allowed(this: Client, address) {
    // Earlier versions have registered schemes that are not taken any more.
    if ('fault' in redirectKind(address)) return false;
    return exactly.call(this, address) || isLoopback(address, this.redirectUris ?? []);
  };
  return provider;
}

/**
 * Makes the successor of a refresh token follow from that token and a secret of the service. A token that is sent twice within the leeway
 * then has the same successor, without a store of tokens that someone could read.
 */
function succeedAlike(library: Library, { RefreshToken: model }: Provider, secret: string): void {
  const { prototype } = model;
  const { save } = prototype;
  prototype.save = function saved(this: RefreshToken) {
    const rotated = library.default.ctx?.oidc.entities.RotatedRefreshToken;
    if (rotated !== undefined)
      this.jti = createHmac('sha256', secret).update(`the successor of ${rotated.jti}`).digest('base64url');
    return save.call(this);
  };
}

function configurationOf(library: Library, keys: readonly SigningKey[], parts: ProviderParts): Configuration {
  const { grants, cookieKey, fetchDocument } = parts;
  return {
    adapter: createState(library, parts),
    jwks: { keys: keys.map((key) => ({ ...key })) },
    cookies: {
      keys: [cookieKey],
      // Lax: the browser is sent here from the page of a client.
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    scopes: [...ownScopes],
    claims: {},
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_post', 'client_secret_basic'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // Each request is a new question: what a person has answered before is not looked up.
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    findAccount: async (_context, sub, token) => {
      const grantId = token?.grantId;
      const isDead = grantId !== undefined && !(await retryable(library, grants.isLive(String(grantId))));
      if (isDead) return undefined;
      return { accountId: sub, claims: async () => ({ sub }) };
    },
    interactions: { policy: questions(library), url: (_context, { uid }) => `${consentPath}?id=${uid}` },
    routes: { ...oauthPaths },
    features: featuresOf(library, parts),
    ...(fetchDocument && { fetch: fetchDocument }),
    // A revoked token ends its grant, also when it is an access token.
    revokeGrantPolicy: () => true,
    extraTokenClaims: async (_context, token) => ('grantId' in token ? { grant_id: token.grantId } : {}),
    clientBasedCORS: () => true,
    ttl: {
      Session: oauthSeconds.question,
      Interaction: oauthSeconds.question,
      Grant: limits.grantMs / 1000,
      AuthorizationCode: oauthSeconds.code,
      RefreshToken: oauthSeconds.refreshToken,
      AccessToken: oauthSeconds.accessToken,
      IdToken: oauthSeconds.accessToken,
    },
    renderError: rendering(parts.errorPage),
  };
}

function featuresOf({ errors }: Library, { resource, fetchDocument }: ProviderParts): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
    },
    clientIdMetadataDocument: {
      enabled: fetchDocument !== null,
      ack: 'draft-02',
      cacheDuration: { min: 60, max: 24 * 3600 },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_context, asked) => {
        if (asked !== resource) throw new errors.InvalidTarget(`The only resource here is ${resource}.`);
        return {
          scope: grantScopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: oauthSeconds.accessToken,
          jwt: { sign: { alg: 'ES256' } },
        };
      },
    },
  };
}

/** The question that a person answers, for every request. The pages sign the person in before they ask it. */
function questions({ interactionPolicy: { Check, Prompt } }: Library) {
  const unanswered = new Check(
    'not_answered',
    'A person has to answer this request.',
    'interaction_required',
    ({ oidc }) => oidc.result?.consent === undefined || oidc.result.login === undefined,
  );
  // A client may name any of these. The same page answers them all.
  const asLogin = new Prompt({ name: 'login', requestable: true });
  const asChoice = new Prompt({ name: 'select_account', requestable: true });
  return [asLogin, asChoice, new Prompt({ name: 'consent', requestable: true }, unanswered)];
}

/** The session of the library has no state, so its cookie has no meaning. */
function removeSessionCookie({ response }: Pick<KoaContextWithOIDC, 'response'>, name: string): void {
  const set: unknown = response.headers['set-cookie'];
  if (!Array.isArray(set)) return;
  const others = set
    .map(String)
    .filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`));
  if (others.length === 0) response.remove('set-cookie');
  else response.set('set-cookie', others);
}

/** The library adds the scope of OpenID Connect to its metadata. No identity of a person is given to clients. */
function nameOwnScopes(context: Pick<KoaContextWithOIDC, 'body'>): void {
  const body: unknown = context.body;
  const isMetadata = typeof body === 'object' && body !== null && 'scopes_supported' in body;
  if (isMetadata) context.body = { ...body, scopes_supported: ownScopes };
}

function rendering({ headers, text }: ErrorPage): Configuration['renderError'] {
  return (context, out, error) => {
    const sentence = sentenceOf(error) ?? out.error_description ?? '';
    if (context.accepts('json', 'html') !== 'html') {
      context.body = { ...out, error_description: sentence };
      return;
    }
    context.set(headers);
    context.type = 'text/html; charset=utf-8';
    context.body = text(sentence, out.error);
  };
}

/** The reason why a client cannot be known by its metadata document. The library says only that it failed. */
function sentenceOf({ message, cause }: Error): string | undefined {
  if (message !== 'invalid_client' || !(cause instanceof UnusableDocument)) return undefined;
  return `The metadata document of the client cannot be used: ${cause.message}.`;
}

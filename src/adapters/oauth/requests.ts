import { OAuthRefusal, type OAuthRequest } from '../../../contracts/authorization.js';
import { grantScopes } from '../../../contracts/grants.js';
import { oauthPaths } from '../../../contracts/oauth.js';
import { readClientMetadata } from '../../domain/oauth-client.js';
import { accessTokenPrefix } from './state.js';

/** The part of a request that the library reads. */
export interface Prepared {
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Completes a request where the library is stricter than clients are. @throws OAuthRefusal */
export function prepared({ request, contentType, body }: OAuthRequest): Prepared {
  const url = request.url ?? '/';
  const [path = ''] = url.split('?');
  if (path === oauthPaths.authorization) return { url: withScope(url), contentType, body };
  if (path === oauthPaths.revocation) return { url, contentType, body: withMarkedToken(body) };
  if (path === oauthPaths.registration) return { url, contentType: 'application/json', body: registration(body) };
  return { url, contentType, body };
}

function registration(body: Uint8Array): Uint8Array {
  const read = readClientMetadata(jsonObject(body));
  if ('error' in read) throw new OAuthRefusal(read.error, read.sentence);
  return Buffer.from(JSON.stringify(read), 'utf8');
}

function jsonObject(body: Uint8Array): Readonly<Record<string, unknown>> {
  const refusal = new OAuthRefusal('invalid_client_metadata', 'The body must be a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw refusal;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal;
  return { ...value };
}

/** A client that names no scope of this server asks for all of them. */
function withScope(url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const [scope, ...more] = parameters.getAll('scope');
  const named = scope?.split(' ') ?? [];
  if (more.length > 0 || grantScopes.some((one) => named.includes(one))) return url;
  parameters.set('scope', [...named.filter((one) => one === 'offline_access'), ...grantScopes].join(' '));
  return `${path}?${parameters.toString()}`;
}

/** Marks a token that looks like a JWT, so that the library looks it up instead of refusing it. */
function withMarkedToken(body: Uint8Array): Uint8Array {
  const parameters = new URLSearchParams(Buffer.from(body).toString('utf8'));
  const [token, ...more] = parameters.getAll('token');
  if (token === undefined || more.length > 0 || token.split('.').length !== 3) return body;
  parameters.set('token', `${accessTokenPrefix}${token}`);
  return Buffer.from(parameters.toString(), 'utf8');
}

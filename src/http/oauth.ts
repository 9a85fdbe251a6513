import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuthorizationServer, OAuthRefusal } from '../../contracts/authorization.js';
import { Refusal } from '../../contracts/errors.js';
import { mcpPath, oauthPaths } from '../../contracts/oauth.js';
import type { AddressLimit, RateLimits } from '../api/rate-limits.js';
import { asRefusal, refuse } from './reply.js';
import { contentHeaders } from './route.js';

export interface OAuthParts {
  readonly authorizationServer: Pick<AuthorizationServer, 'prepare' | 'resourceMetadata'>;
  readonly rateLimits: RateLimits;
}

/** Of a request to the authorization server: forms and descriptions of clients are short. */
const bodyBytes = 64 * 1024;

/** Clients in pages of any site may call: no cookie is read at these paths. */
const open = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, retry-after, x-request-id',
};

const preflight = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '86400',
};

const serverMetadata = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
const resourceMetadata = ['/.well-known/oauth-protected-resource', `/.well-known/oauth-protected-resource${mcpPath}`];

/** A path, and who may call it. */
interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Whether pages of other sites may call it. */
  readonly isOpen: boolean;
  readonly limits: readonly AddressLimit[];
}

const endpoints: readonly Endpoint[] = [
  ...serverMetadata.map((url) => ({ method: 'GET', url, isOpen: true, limits: ['publicFiles'] }) as const),
  { method: 'GET', url: oauthPaths.jwks, isOpen: true, limits: ['publicFiles'] },
  { method: 'GET', url: oauthPaths.authorization, isOpen: false, limits: ['oauth'] },
  { method: 'GET', url: `${oauthPaths.authorization}/:uid`, isOpen: false, limits: ['oauth'] },
  { method: 'POST', url: oauthPaths.token, isOpen: true, limits: ['oauth'] },
  { method: 'POST', url: oauthPaths.revocation, isOpen: true, limits: ['oauth'] },
  { method: 'POST', url: oauthPaths.registration, isOpen: true, limits: ['oauth', 'registrations'] },
];

/** Serves the authorization server and the metadata by which clients find it. */
export function addOAuth(server: FastifyInstance, parts: OAuthParts): void {
  for (const endpoint of endpoints) addEndpoint(server, endpoint, parts);
  for (const url of resourceMetadata) {
    server.get(url, async (_request, reply) => reply.headers(open).send(parts.authorizationServer.resourceMetadata));
  }
  // Clients also try the path of the resource behind other names, and continue when nothing is there.
  server.get('/.well-known/*', async (_request, reply) => refuse(reply.headers(open), new Refusal('route_not_found')));
  const preflights = endpoints.filter(({ isOpen }) => isOpen).map(({ url }) => url);
  for (const url of new Set([...preflights, ...resourceMetadata, '/.well-known/*'])) {
    server.options(url, async (_request, reply) => reply.code(204).headers(open).headers(preflight).send());
  }
}

function addEndpoint(server: FastifyInstance, { method, url, isOpen, limits }: Endpoint, parts: OAuthParts): void {
  const { authorizationServer, rateLimits } = parts;
  server.route({
    method,
    url,
    exposeHeadRoute: false,
    bodyLimit: bodyBytes,
    errorHandler: (error, request, reply) => {
      if (isOpen) void reply.headers(open);
      if (error instanceof OAuthRefusal)
        void reply.code(400).send({ error: error.error, error_description: error.message });
      else refuseAsOAuth(asRefusal(error, request), reply);
    },
    onRequest: async (request) => {
      for (const limit of limits) await rateLimits.address(request.ip, limit);
    },
    handler: async (request, reply) => {
      const answer = await authorizationServer.prepare({
        request: request.raw,
        contentType: contentHeaders(request.raw).type,
        body: bodyOf(request),
      });
      if (isOpen) void reply.headers(open);
      // From here on the authorization server writes the answer.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      reply.hijack();
      await answer(reply.raw);
    },
  });
}

const bodyOf = ({ body }: FastifyRequest): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array());

/** A refusal in the form of OAuth (RFC 6749 §5.2). */
function refuseAsOAuth(refusal: Refusal, reply: FastifyReply): void {
  const seconds = refusal.retryAfterSeconds;
  if (seconds !== undefined) void reply.header('retry-after', String(seconds));
  const error = codes.get(refusal.status) ?? (refusal.status < 500 ? 'invalid_request' : 'server_error');
  void reply.code(refusal.status).send({ error, error_description: refusal.message });
}

const codes = new Map([
  [429, 'too_many_requests'],
  [503, 'temporarily_unavailable'],
]);

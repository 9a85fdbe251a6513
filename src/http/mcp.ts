import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { grantScopes } from '../../contracts/grants.js';
import { limits } from '../../contracts/limits.js';
import type { RateLimits } from '../api/rate-limits.js';
import type { IdentifyMcp, McpClient } from '../mcp/credentials.js';
import type { McpAnswer, McpRequest } from '../mcp/protocol/endpoint.js';
import type { MessageRates } from '../mcp/protocol/rates.js';
import { httpErrorOf } from '../mcp/protocol/refusals.js';
import { errorText, RpcError, rpcCodes } from '../mcp/protocol/rpc.js';
import { unknownId } from '../mcp/protocol/version.js';
import { connectPage } from '../pages/mcp.js';
import { isPreflight, type Origins } from './cross-origin.js';
import { pageHeaders } from './page-headers.js';
import { asRefusal } from './reply.js';
import { clientOf, contentHeaders, type LargeBodies, type RouteParts } from './route.js';

export interface McpMount {
  readonly baseUrl: string;
  readonly origins: Origins;
  readonly identify: IdentifyMcp;
  readonly rates: MessageRates;
  answer(request: McpRequest): Promise<McpAnswer>;
}

interface Parts extends McpMount {
  readonly rateLimits: Pick<RateLimits, 'address'>;
  readonly largeBodies: LargeBodies;
  readonly cookies: RouteParts['cookies'];
}

const json = 'application/json; charset=utf-8';

const allowedHeaders =
  'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id, x-service-run, idempotency-key';
const exposedHeaders = 'WWW-Authenticate, Mcp-Session-Id, Retry-After, x-request-id';

/** Serves /mcp: who calls and whether that is allowed before the body is read, then the messages in it. */
export function mountMcp(server: FastifyInstance, parts: Parts): void {
  const clients = new WeakMap<FastifyRequest, McpClient>();
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    void refuse(error, request, reply, parts);
  server.route({
    method: [...server.supportedMethods],
    url: '/mcp',
    exposeHeadRoute: false,
    bodyLimit: limits.bodyBytes,
    errorHandler,
    onRequest: async (request, reply) => {
      requireOrigin(request, reply, parts);
      if (isPreflight(request)) return answerPreflight(reply);
      if (request.method !== 'POST') return refuseMethod(request, reply, parts);
      clients.set(request, await admit(request, parts));
    },
    handler: async (request, reply) => {
      const from = clients.get(request);
      if (!from) throw new Refusal('unauthorized');
      requireJson(request);
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      // Before the request waits among large ones: a connection that closes meanwhile is not missed.
      const signal = closing(reply);
      const answer = await parts.largeBodies({ owner: from.caller.workspaceId, bytes: body.length }, () =>
        parts.answer({
          from,
          body,
          client: clientOf(request, parts),
          headers: request.headers,
          requestId: request.id,
          log: request.log,
          signal,
        }),
      );
      if (answer.status === 401) void challenge(request, reply, 'invalid_token', parts);
      void reply.code(answer.status).headers(answer.headers);
      return answer.body === null ? reply.send() : reply.type(json).send(answer.body);
    },
  });
  server.route({
    method: [...server.supportedMethods],
    url: '/mcp/',
    exposeHeadRoute: false,
    errorHandler,
    onRequest: async (request, reply) => {
      requireOrigin(request, reply, parts);
      return reply.redirect(request.url.replace('/mcp/', '/mcp'), 308);
    },
    handler: async (_request, reply) => reply,
  });
}

/** @throws RpcError for a request to another host, or of a page that may not call this service */
function requireOrigin(request: FastifyRequest, reply: FastifyReply, { origins, baseUrl }: Parts): void {
  const { origin } = request.headers;
  void reply.header('vary', 'Origin');
  if (origin !== undefined && origins.allows(origin)) {
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedHeaders,
    });
  }
  if (!origins.isOwnHost(request.host ?? '')) {
    throw forbidden(`This service is reached at ${baseUrl}/mcp only. The request names another host.`);
  }
  if (origin !== undefined && !origins.allows(origin)) {
    throw forbidden('Pages of this origin may not call this service. MCP_ALLOWED_ORIGINS names those that may.');
  }
}

const forbidden = (sentence: string) => new RpcError(rpcCodes.refused, sentence, undefined, 403);

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '86400',
    })
    .send();
}

/** A person who opens the address in a browser is shown how to connect a client. */
function refuseMethod(request: FastifyRequest, reply: FastifyReply, { baseUrl }: Parts): FastifyReply {
  void reply.header('allow', 'POST');
  if (!request.headers.accept?.includes('text/html')) {
    throw new RpcError(rpcCodes.refused, 'This path takes POST.', undefined, 405);
  }
  return reply.code(405).headers(pageHeaders).type('text/html; charset=utf-8').send(connectPage(baseUrl));
}

/** Finds out who calls, and counts the first message before it is read. @throws Refusal */
async function admit(request: FastifyRequest, { identify, rates, rateLimits }: Parts): Promise<McpClient> {
  const client = await identify(request.headers).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'unauthorized') await rateLimits.address(request.ip);
    throw error;
  });
  await rates.count(client.countedBy, 1);
  return client;
}

/** @throws RpcError for a body that is not said to be JSON */
function requireJson(request: FastifyRequest): void {
  const { type, encoding } = contentHeaders(request.raw);
  if (type === 'application/json' && (encoding === '' || encoding === 'identity')) return;
  throw new RpcError(rpcCodes.refused, 'Send the body with Content-Type: application/json.', undefined, 415);
}

/** Ends when the connection closes before the answer was sent. */
function closing({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  if (raw.destroyed) closed.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) closed.abort();
  });
  return closed.signal;
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, parts: Parts): FastifyReply {
  if (error instanceof RpcError) return sendError(error, request, reply);
  const refusal = asRefusal(error, request);
  const seconds = refusal.retryAfterSeconds;
  if (seconds !== undefined) void reply.header('retry-after', String(seconds));
  if (refusal.status === 401) challenge(request, reply, 'invalid_token', parts);
  if (refusal.code === 'insufficient_scope') challenge(request, reply, 'insufficient_scope', parts);
  return sendError(httpErrorOf(refusal, request.id), request, reply);
}

const sendError = (error: RpcError, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .code(error.status)
    .type(json)
    .send(errorText(unknownId(headers), error));

/** Says where a client can get a token. A request without a credential has made no error yet. */
function challenge({ headers }: FastifyRequest, reply: FastifyReply, error: string, { baseUrl }: Parts): void {
  const said = headers.authorization === undefined ? '' : `error="${error}", `;
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
  void reply.header('www-authenticate', `Bearer ${said}${metadata}, scope="${grantScopes.join(' ')}"`);
}

import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import type { Caller } from '../domain/caller.js';
import { stringify } from '../domain/json-text.js';
import type { Answer, Endpoint, Services } from './endpoint.js';
import type { Identify } from './identify.js';
import { routes } from './routes.js';

/** The pages outside /v1/: what they answer is worked out by the app. */
export interface Operation {
  /** Names of what is missing before a write can be taken; empty when ready. */
  missing(): Promise<readonly string[]>;
  metrics(): Promise<{ type: string; text: string }>;
  observe(method: string, route: string, status: number, seconds: number): void;
}

export interface ServerParts {
  readonly log: FastifyBaseLogger;
  readonly services: Services;
  readonly identify: Identify;
  readonly operation: Operation;
}

const json = 'application/json; charset=utf-8';

/** The HTTP server: credentials before bodies, refusals rendered in one place, one log line per request. */
export function createServer({ log, services, identify, operation }: ServerParts): FastifyInstance {
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    // Ids are up to 36 characters; longer parameters are somebody trying things.
    routerOptions: { maxParamLength: 200 },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  });
  // Every body is kept as bytes until the credential, the scope and the route are known to be right.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.setNotFoundHandler((_request, reply) => refuse(reply, new Refusal('route_not_found')));
  server.setErrorHandler((error, request, reply) => refuse(reply, asRefusal(error, request)));
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    operation.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    // The route's pattern, never the URL: queries hold what people search for.
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
  });
  for (const endpoint of routes) addRoute(server, endpoint, services, identify);
  addOperation(server, operation);
  return server;
}

function addRoute(server: FastifyInstance, endpoint: Endpoint, services: Services, identify: Identify): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  server.route<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: false,
    // Before the body is read: somebody without a credential cannot make us take 8 MiB.
    onRequest: async (request) => {
      callers.set(request, await identify(request.headers));
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      if (!caller) throw new Refusal('unauthorized');
      const { params, query } = request;
      send(reply, await endpoint.answer({ caller, params, query, bodyText: bodyText(request.body) }, services));
      return reply;
    },
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bodyText(body: unknown): string {
  if (!(body instanceof Uint8Array)) return '';
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal('invalid_json', 'The body is not UTF-8.');
  }
}

function send(reply: FastifyReply, { status, body }: Answer): void {
  void reply.code(status).header('content-type', json).send(stringify(body));
}

function refuse(reply: FastifyReply, refusal: Refusal): void {
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer');
  if (refusal.status === 503) void reply.header('retry-after', '1');
  send(reply, { status: refusal.status, body: refusal.body() });
}

/** Whatever was thrown as a refusal. What nobody foresaw is logged with its stack and told as internal_error. */
function asRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('body_too_large');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'ECONNRESET')
    return new Refusal('invalid_json', 'The body ended early.');
  if (code === 'FST_ERR_BAD_URL') return new Refusal('route_not_found');
  request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
  return new Refusal('internal_error');
}

function addOperation(server: FastifyInstance, operation: Operation): void {
  server.get('/healthz', async (_request, reply) => reply.type(json).send('{"status":"up"}'));
  server.get('/readyz', async (_request, reply) => {
    const missing = await operation.missing();
    const status = missing.length === 0 ? 'ready' : 'not_ready';
    return reply
      .code(missing.length === 0 ? 200 : 503)
      .type(json)
      .send(JSON.stringify({ status, missing }));
  });
  server.get('/metrics', async (_request, reply) => {
    const { type, text } = await operation.metrics();
    return reply.type(type).send(text);
  });
}

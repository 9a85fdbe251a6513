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
import type { Endpoint, Services } from '../api/operation.js';
import { closedPaths, routes } from '../api/operations.js';
import type { RateLimits } from '../api/rate-limits.js';
import { runBy } from '../commands/by-caller.js';
import type { Answer } from '../commands/once.js';
import type { Config } from '../config.js';
import { type Caller, isOfMemoryApi, requireAccess } from '../domain/caller.js';
import { stringify } from '../domain/json-text.js';
import type { LogFiles } from '../tlog/files.js';
import { addAccountRoutes } from './account.js';
import { asRefusal, unavailableCode } from './as-refusal.js';
import { answerClientError } from './client-errors.js';
import { boundConnections, patience } from './connections.js';
import { createLargeBodies, type LargeBodies } from './large-bodies.js';
import { addLogRoutes, isLogFile, logFileHeaders } from './log.js';
import { refuseOtherMethods } from './methods.js';
import { addOidcRoutes, type ProviderSignIn } from './oidc.js';
import { addOperation, isOperationPath, type Operation } from './operation.js';
import type { OwnAccount } from './own-account.js';
import { readPages } from './pages.js';
import { callersRequestId, newRequestId, requestIdHeader } from './request-id.js';
import { addSessionRoutes } from './session.js';
import type { Credentials, Sessions } from './sessions.js';
import { addVerifyRoute, type CheckBundle, type KnownReceipt } from './verify.js';

export interface ServerParts {
  readonly log: FastifyBaseLogger;
  readonly services: Services;
  readonly identify: Credentials;
  readonly sessions: Sessions;
  readonly account: OwnAccount;
  /** Null where no provider is set. */
  readonly providerSignIn: ProviderSignIn | null;
  readonly rateLimits: RateLimits;
  /** Whose word on a client's address is taken; see the setting TRUST_PROXY. */
  readonly trustProxy: Config['trustProxy'];
  readonly operation: Operation;
  /** See the setting MEMORY_API. */
  readonly memoryApi: boolean;
  /** Whether this process has the role http: without it only paths of the operation are served. */
  serves(): boolean;
  readonly logFiles: LogFiles;
  readonly checkBundle: CheckBundle;
  /** What is over them is refused, and later closed without an answer. */
  readonly maxConnections: number;
  receiptByHash(hash: string): Promise<KnownReceipt | undefined>;
}

/** What every route shares. */
interface Parts extends ServerParts {
  readonly largeBodies: LargeBodies;
}

const json = 'application/json; charset=utf-8';
/** Of a request without a body. */
const noBytes = new Uint8Array();

/** The HTTP server: credentials before bodies, refusals rendered in one place, one log line per request. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { log, operation, rateLimits, trustProxy } = parts;
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: trusted(trustProxy),
    genReqId: newRequestId,
    clientErrorHandler: answerClientError,
    requestTimeout: patience.requestTimeout,
    keepAliveTimeout: patience.keepAliveTimeout,
    http: { ...patience, maxHeaderSize: limits.headerBytes },
    // Ids are up to 36 characters; longer parameters are somebody trying things.
    routerOptions: { maxParamLength: 200 },
    // While it closes, requests on connections that are open are refused below, with a body as of every refusal.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A path that cannot be decoded is none; the framework's own answer would have another form than all others.
    frameworkErrors: (_error, _request, reply) => refuse(reply, new Refusal('route_not_found')),
  });
  const isAboveBound = boundConnections(server.server, parts.maxConnections);
  // Expectations that nobody knows are not met, which a server need not say.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
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
      {
        ...{ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        callers_id: callersRequestId(request.headers[requestIdHeader]),
      },
      'request',
    );
  });
  // Before anything else, also for routes that do not exist and for keys that are being guessed.
  server.addHook('onRequest', async (request, reply) => {
    void reply.header(requestIdHeader, request.id);
    // The route's pattern where there is one: a URL may be written in many ways that lead to it.
    const path = request.routeOptions.url ?? request.url;
    if (isLogFile(path)) void reply.headers(logFileHeaders);
    if (!parts.serves() && !isOperationPath(path)) throw new Refusal('route_not_found');
    if (closing) throw new Refusal('not_ready');
    if (isAboveBound(request.raw)) {
      void reply.header('connection', 'close');
      throw new Refusal('not_ready', 'Too many connections are open. Retry shortly.');
    }
    // Bodies are read as what they should be, whatever they say they are; a type that is none would end in an error, and for
    // some methods one that is missing would too.
    request.raw.headers['content-type'] = 'application/octet-stream';
    if (path.startsWith('/v1/')) await rateLimits.address(request.ip, isLogFile(path) ? 'publicFiles' : 'address');
  });
  const largeBodies = createLargeBodies();
  for (const endpoint of routes) addRoute(server, endpoint, { ...parts, largeBodies });
  refuseOtherMethods(server, closedPaths, (refusal, reply) => refuse(reply, refusal));
  addSessionRoutes(server, parts.sessions, rateLimits);
  addAccountRoutes(server, parts.account, rateLimits);
  addOidcRoutes(server, parts.providerSignIn, rateLimits);
  addLogRoutes(server, parts.logFiles);
  addVerifyRoute(server, parts.logFiles, parts.checkBundle, parts.receiptByHash);
  addOperation(server, operation);
  addPages(server);
  return server;
}

/** As the framework wants it: addresses, or a function of how many hops away a proxy is. */
function trusted(proxies: Config['trustProxy']): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;
}

function addRoute(server: FastifyInstance, endpoint: Endpoint, parts: Parts): void {
  const { services, identify, rateLimits, largeBodies } = parts;
  const off = !parts.memoryApi && isOfMemoryApi(endpoint.access);
  const callers = new WeakMap<FastifyRequest, Caller>();
  const unavailable = unavailableCode(endpoint.refusals);
  server.route<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: false,
    errorHandler: (error, request, reply) => refuse(reply, asRefusal(error, request, unavailable)),
    // Before the body is read: somebody without a credential cannot make us take 8 MiB.
    onRequest: async (request, reply) => {
      if (off) throw new Refusal('not_found');
      if (endpoint.addressLimit) await rateLimits.address(request.ip, endpoint.addressLimit);
      const { caller, cookie } = await identify(request);
      if (cookie !== null) void reply.header('set-cookie', cookie);
      requireAccess(caller, endpoint.access);
      if (endpoint.needsAgent && caller.agent === null) throw new Refusal('agent_required');
      if (endpoint.counted) await rateLimits.workspace(caller, endpoint.counted);
      callers.set(request, caller);
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      if (!caller) throw new Refusal('unauthorized');
      const { params, query, url, body } = request;
      const idempotencyKey = request.headers['idempotency-key']?.toString();
      const bytes = body instanceof Uint8Array ? body : noBytes;
      const own = { ...services, run: runBy(services.run, caller, endpoint.access) };
      const answer = () => endpoint.answer({ caller, params, query, url, idempotencyKey, body: bytes }, own);
      send(reply, await largeBodies(bytes, answer));
      return reply;
    },
  });
}

function send(reply: FastifyReply, { status, body }: Answer): void {
  void reply.code(status).header('content-type', json).send(stringify(body));
}

function refuse(reply: FastifyReply, refusal: Refusal): void {
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer');
  const seconds = refusal.status === 503 ? 1 : refusal.details.retry_after_seconds;
  if (typeof seconds === 'number') void reply.header('retry-after', String(seconds));
  // Also where the request has not come as far as the hook that says it of every answer.
  void reply.header(requestIdHeader, reply.request.id);
  send(reply, { status: refusal.status, body: refusal.body(reply.request.id) });
}

function addPages(server: FastifyInstance): void {
  for (const { path, body, etag, headers } of readPages()) {
    server.get(path, async (request, reply) => {
      const known = request.headers['if-none-match']?.includes(etag);
      return known ? reply.code(304).headers(headers).send() : reply.headers(headers).send(body);
    });
  }
}

import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { limits } from '../../contracts/limits.js';
import { operations } from '../api/operations.js';
import type { Config } from '../settings/config.js';
import type { Role } from '../settings/roles.js';
import { boundAddresses } from './address-bounds.js';
import { answerClientError } from './client-errors.js';
import { boundConnections, patience } from './connections.js';
import { allowPages, answerPreflights, headersOfPublic, type Origins } from './cross-origin.js';
import { answerHalfClosed } from './half-closed.js';
import { type McpMount, mountMcp } from './mcp.js';
import { knowAllMethods, operationMethod, refuseOtherMethods } from './methods.js';
import { addOAuth, type OAuthParts } from './oauth.js';
import { transportHeaders } from './page-headers.js';
import { addPageRoutes, isForPeople, sendNoPage } from './page-routes.js';
import type { PageRouteParts } from './page-visitors.js';
import { readPages } from './pages.js';
import { causeOf } from './refusal-cause.js';
import {
  asRefusal,
  callersRequestId,
  codingOf,
  names,
  newRequestId,
  refuse,
  requestIdHeader,
  showBudget,
} from './reply.js';
import { addRoute, createLargeBodies, type RouteParts } from './route.js';
import { sendToPage, withoutSlash } from './trailing-slash.js';
import { readUnreadBodies } from './unread-body.js';

export interface ServerParts extends Omit<RouteParts, 'largeBodies'>, OAuthParts {
  readonly log: FastifyBaseLogger;
  /** The proxies whose statement on the address of a client is believed; see the setting TRUST_PROXY. */
  readonly trustProxy: Config['trustProxy'];
  readonly vendorPlatforms: Config['vendorPlatforms'];
  /** The roles that this process has now: without http it serves only the operations of every role. */
  readonly running: { readonly roles: readonly Role[] };
  /** The parts that only the pages for people need. */
  readonly pages: Pick<PageRouteParts, 'formTokens' | 'sealed' | 'authorizations'>;
  /** Connections above them are refused, and later closed without an answer. */
  readonly maxConnections: number;
  /** Whether the connections and requests of one address are bounded: see the setting RATE_LIMITS. */
  readonly boundsAddresses: boolean;
  readonly mcp: McpMount;
  /** The pages that may call the API from a browser. */
  readonly pageOrigins: Pick<Origins, 'allows'>;
  /** Measures a request that was answered. */
  observe(answered: {
    readonly method: string;
    /** The pattern of the route. */
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
    readonly cause: string | null;
  }): void;
}

/** The paths that a process with any roles serves. */
const ofEveryRole = new Set(operations.filter(({ serving }) => serving.everyRole).map(({ path }) => path));

/** Requests that count in the budget of their workspace only. */
const withOwnBudget = new Set(
  operations.filter(({ serving }) => serving.ownBudget).map(({ method, path }) => `${method} ${path}`),
);

const noCompiler = (): never => {
  throw new Error('routes have no schemas');
};

/** Requests have lines of our own in the log, and no route has a schema: unless it is said, every start loads two compilers of schemas. */
const withoutUnused = () => ({
  logController: new LogController({ disableRequestLogging: true }),
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
});

/** The HTTP server: credentials before bodies, refusals rendered in one place, one log line per request. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { log, rateLimits, trustProxy, observe } = parts;
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    ...withoutUnused(),
    bodyLimit: limits.bodyBytes,
    trustProxy: trusted(trustProxy),
    genReqId: newRequestId,
    rewriteUrl: ({ url = '/' }) => withoutSlash(url),
    clientErrorHandler: answerClientError,
    requestTimeout: patience.requestTimeout,
    keepAliveTimeout: patience.keepAliveTimeout,
    http: { ...patience, maxHeaderSize: limits.headerBytes },
    // An id that a client has chosen has up to 128 code points, of which the router counts some in their escaped form.
    routerOptions: { maxParamLength: 512 },
    // While it closes, requests on connections that are open are refused below, with a body as of every refusal.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A path that cannot be decoded is none; the framework's own answer would have another form than all others.
    frameworkErrors: (_error, _request, reply) => void refuse(reply, new Refusal('route_not_found')),
  });
  knowAllMethods(server);
  answerHalfClosed(server.server);
  // Where few files may be open, a quarter of the connections is left to other addresses.
  const mostOfAddress = Math.min(limits.connectionsPerAddress, Math.floor((3 * parts.maxConnections) / 4));
  const ofAddress = parts.boundsAddresses && !trustProxy ? mostOfAddress : null;
  const isAboveBound = boundConnections(server.server, { all: parts.maxConnections, ofAddress });
  // A server may ignore an expectation that it does not know.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  const isClosing = closesConnections(server);
  // Every body is kept as bytes until the credential, the scope and the route are known to be right.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const pageParts = { ...parts, ...parts.pages };
  const transport = transportHeaders(parts.mcp.baseUrl);
  server.setNotFoundHandler(
    (request, reply) =>
      sendToPage(request, reply) ??
      (isForPeople(request) ? sendNoPage(request, reply, pageParts) : refuse(reply, new Refusal('route_not_found'))),
  );
  server.setErrorHandler((error, request, reply) => refuse(reply, asRefusal(error, request)));
  logRequests(server, observe);
  readUnreadBodies(server);
  if (parts.boundsAddresses) boundAddresses(server);
  allowPages(server, parts.pageOrigins);
  // Before anything else, also for routes that do not exist and for keys that are being guessed.
  server.addHook('onRequest', async (request, reply) => {
    void reply.headers({ [requestIdHeader]: request.id, 'x-content-type-options': 'nosniff', ...transport });
    // The route's pattern where there is one: a URL may be written in many ways that lead to it.
    const path = request.routeOptions.url ?? request.url;
    const publicHeaders = headersOfPublic(request.method, path);
    if (publicHeaders) void reply.headers(publicHeaders);
    if (!parts.running.roles.includes('http') && !ofEveryRole.has(path)) throw new Refusal('route_not_found');
    if (isClosing()) throw new Refusal('not_ready');
    if (isAboveBound(request.raw)) {
      void reply.header('connection', 'close');
      throw new Refusal('not_ready', 'Too many connections are open. Retry shortly.');
    }
    // Every body is read as the type that the operation takes, with any content type. An invalid one would be an error, and
    // for some methods a missing one too.
    request.raw.headers['content-type'] = 'application/octet-stream';
    if (!path.startsWith('/v1/') || withOwnBudget.has(`${operationMethod(request.method)} ${path}`)) return;
    // Public files and feeds are kept by caches, for which the budget of one address means nothing.
    if (publicHeaders) await rateLimits.address(request.ip, 'publicFiles');
    else await rateLimits.noting((budget) => showBudget(reply, budget)).address(request.ip);
  });
  const largeBodies = createLargeBodies();
  for (const operation of operations) addRoute(server, operation, { ...parts, largeBodies });
  mountMcp(server, { ...parts, ...parts.mcp, largeBodies });
  refuseOtherMethods(server, operations);
  answerPreflights(server);
  addOAuth(server, parts);
  addPages(server, parts.vendorPlatforms);
  addPageRoutes(server, pageParts);
  return server;
}

/** How often connections are looked at while the server closes, in milliseconds. */
const idleLookMs = 100;

/**
 * Closes connections that become idle while the server closes. Their clients would keep them for the next request, and the end of
 * the server would wait for that. A request that has come behind another one on its connection is refused first.
 * @returns whether the server is closing
 */
function closesConnections(server: FastifyInstance): () => boolean {
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
    const timer = setInterval(() => server.server.closeIdleConnections(), idleLookMs);
    server.server.once('close', () => clearInterval(timer));
  });
  return () => closing;
}

/** One log line and one measurement for each request. */
function logRequests(server: FastifyInstance, observe: ServerParts['observe']): void {
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method, routeOptions } = request;
    const cause = routeOptions.url === '/readyz' ? null : causeOf(request, reply.statusCode);
    observe({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000, cause });
    // The route's pattern, never the URL: queries hold what people search for.
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        callers_id: callersRequestId(request.headers[requestIdHeader]),
      },
      'request',
    );
  });
}

/** As the framework wants it: addresses, or a function of how many hops away a proxy is. */
function trusted(proxies: Config['trustProxy']): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;
}

function addPages(server: FastifyInstance, vendorPlatforms: readonly string[]): void {
  for (const { path, encodings, headers } of readPages(vendorPlatforms)) {
    server.get(path, async (request, reply) => {
      const coding = codingOf(request.raw, [...encodings.keys()]);
      const encoding = encodings.get(coding);
      if (!encoding) throw new Error(`${path} has no bytes`);
      void reply.headers({ ...headers, etag: encoding.etag });
      if (names(request, encoding.etag)) return reply.code(304).send();
      if (coding !== 'identity') void reply.header('content-encoding', coding);
      return reply.send(encoding.body);
    });
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../api/operations.js';
import { operationMethod } from './methods.js';

/** The addresses by which /mcp may be reached, and the sites whose pages may call it. */
export interface Origins {
  /** @param host of the request, exactly as it was sent: a name, with a port where that is not the usual one */
  isOwnHost(host: string): boolean;
  /** @param origin the header Origin, exactly as it was sent */
  allows(origin: string): boolean;
}

/**
 * A page of another site can make a browser send requests to a name that the site has pointed at this service. Such a request
 * names that site in Host, and in Origin where browsers send it.
 * @param allowed origins, or `*` for all; undefined for the service's own, and those of this machine if the service is on it
 */
export function createOrigins(baseUrl: string, allowed: readonly string[] | undefined): Origins {
  const own = new URL(baseUrl);
  const all = allowed?.includes('*') ?? false;
  const named = new Set(allowed ?? [own.origin]);
  const loopback = allowed === undefined && isLoopback(own.hostname);
  const port = own.port === '' ? '' : `:${own.port}`;
  const ownHosts = new Set([
    own.host,
    ...(isLoopback(own.hostname) ? loopbackNames.map((name) => `${name}${port}`) : []),
  ]);
  return {
    isOwnHost: (host) => isHost(host) && ownHosts.has(hostIn(own, host)),
    allows: (origin) => all || named.has(origin) || (loopback && isLoopbackOrigin(origin)),
  };
}

/** The names of this machine, which are all taken where one of them is the service's own. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** A name or an address, and a port: nothing that a URL would read as another part of itself. */
const isHost = (host: string): boolean => /^(?:\[[\da-f:.]+\]|[^\s/\\?#@:]+)(?::\d{1,5})?$/i.test(host);

/** The host as URLs of the service's scheme have it: in lower case, and without the usual port. */
function hostIn({ protocol }: URL, host: string): string {
  const address = `${protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).host : '';
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: normal } = new URL(origin);
  return /^https?:$/.test(protocol) && normal === origin && isLoopback(hostname);
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** The headers that operations read. */
const allowedHeaders =
  'authorization, content-type, content-encoding, idempotency-key, if-none-match, prefer, traceparent, x-request-id, x-service-agent, x-service-run';
const exposedHeaders =
  'etag, link, preference-applied, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-receipt-id, x-request-id, x-service-erasure';
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * Allows pages of these origins to call the routes below /v1/ with a key. A browser sends them no cookie, because no answer allows
 * credentials. Public files and feeds have headers of their own, for pages of every site.
 */
export function allowPages(server: FastifyInstance, { allows }: Pick<Origins, 'allows'>): void {
  server.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || !isOfApi(request) || !allows(origin)) return;
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders });
    if (isPreflight(request)) return answerPreflight(reply);
  });
  // Whether it was asked by a page or not: a cache may keep one answer for the other.
  server.addHook('onSend', async (request, reply) => {
    if (!isOfApi(request)) return;
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary === undefined ? 'origin' : `${vary}, origin`);
  });
}

function isOfApi({ method, url, routeOptions }: FastifyRequest): boolean {
  const path = routeOptions.url ?? url;
  return path.startsWith('/v1/') && headersOfPublic(method, path) === null;
}

/** Whether a browser asks what it may send. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

const answerPreflight = (reply: FastifyReply): FastifyReply =>
  reply
    .code(204)
    .headers({
      'access-control-allow-methods': allowedMethods,
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '86400',
    })
    .send();

/** Public files, which pages of all sites may read. */
const files = operations.filter(({ serving }) => serving.publicFile);

/** The folders that hold public files and nothing else. */
const folders = [...new Set(files.map(({ path }) => `${path.split('/', 3).join('/')}/`))];

/** Requests below these folders that are not for files, such as one that writes. */
const others = new Set(
  operations
    .filter(({ serving, path }) => !serving.publicFile && isBelow(path))
    .map(({ method, path }) => `${method} ${path}`),
);

function isBelow(path: string): boolean {
  return folders.some((folder) => `${path}/`.startsWith(folder));
}

/** Whether a request is for a public file, or would be if there were one. */
const isPublicFile = (method: string, path: string): boolean =>
  isBelow(path) && !others.has(`${operationMethod(method)} ${path}`);

/** The paths of public feeds. */
const feeds = new Set(operations.filter(({ serving }) => serving.publicFeed).map(({ path }) => path));

/** Headers of every answer about them, refusals too: pages of all sites may read them. */
const publicFileHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, link, retry-after, x-request-id',
};

/** Headers of every answer about feeds, refusals too. */
const publicFeedHeaders = {
  ...publicFileHeaders,
  'cache-control': 'public, max-age=60, s-maxage=60',
  'x-content-type-options': 'nosniff',
};

/** The headers of an answer about a public feed or file, with any method; null for every other request. A query changes nothing. */
export function headersOfPublic(method: string, address: string): Readonly<Record<string, string>> | null {
  const [path = ''] = address.split('?', 1);
  if (feeds.has(path)) return publicFeedHeaders;
  return isPublicFile(method, path) ? publicFileHeaders : null;
}

/** The answer to a browser that asks before it fetches. It asks once a day. */
const publicPreflight = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'if-none-match, *',
  'access-control-max-age': '86400',
};

/** Answers the questions of browsers about public files and feeds. */
export function answerPreflights(server: FastifyInstance): void {
  for (const path of [...files.map(({ path }) => path), ...feeds]) {
    server.options(path, async (_request, reply) => reply.code(204).headers(publicPreflight).send());
  }
}

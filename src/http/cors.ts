import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Origins } from './origins.js';
import { headersOfPublic } from './public-files.js';

/** The headers that operations read. */
const allowedHeaders =
  'authorization, content-type, content-encoding, idempotency-key, if-none-match, prefer, traceparent, x-request-id, x-service-agent, x-service-run';
const exposedHeaders =
  'etag, link, preference-applied, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id, x-service-erasure';
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

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
      'access-control-allow-methods': methods,
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '86400',
    })
    .send();

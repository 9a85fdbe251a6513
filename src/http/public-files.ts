import type { FastifyInstance } from 'fastify';
import { operations } from '../api/operations.js';
import { operationMethod } from './methods.js';

const files = operations.filter(({ publicFile }) => publicFile);

/** The folders that hold public files and nothing else. */
const folders = [...new Set(files.map(({ path }) => `${path.split('/', 3).join('/')}/`))];

/** Requests below these folders that are not for files, such as one that writes. */
const others = new Set(
  operations
    .filter(({ publicFile, path }) => !publicFile && isBelow(path))
    .map(({ method, path }) => `${method} ${path}`),
);

function isBelow(path: string): boolean {
  return folders.some((folder) => `${path}/`.startsWith(folder));
}

/** Whether a request is for a public file, or would be if there were one. */
const isPublicFile = (method: string, path: string): boolean =>
  isBelow(path) && !others.has(`${operationMethod(method)} ${path}`);

/** The paths of public feeds. */
const feeds = new Set(operations.filter(({ publicFeed }) => publicFeed).map(({ path }) => path));

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
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'if-none-match, *',
  'access-control-max-age': '86400',
};

export function answerPreflights(server: FastifyInstance): void {
  for (const path of [...files.map(({ path }) => path), ...feeds]) {
    server.options(path, async (_request, reply) => reply.code(204).headers(preflight).send());
  }
}

import type { FastifyInstance } from 'fastify';
import { operations } from '../api/operations.js';

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
export const isPublicFile = (method: string, path: string): boolean =>
  isBelow(path) && !others.has(`${method} ${path}`);

/** Headers of every answer about them, refusals too: pages of all sites may read them. */
export const publicFileHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, link, retry-after, x-request-id',
};

/** The answer to a browser that asks before it fetches. It asks once a day. */
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

export function answerPreflights(server: FastifyInstance): void {
  for (const { path } of files) {
    server.options(path, async (_request, reply) => reply.code(204).headers(preflight).send());
  }
}

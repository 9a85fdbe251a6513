import type { FastifyInstance } from 'fastify';
import { operations } from '../api/operations.js';

const files = operations.filter(({ publicFile }) => publicFile);

/** The folders that hold public files and nothing else. */
const folders = [...new Set(files.map(({ path }) => `${path.split('/', 3).join('/')}/`))];

/** Whether a path is that of a public file, or would be if there were one. */
export const isPublicFile = (path: string): boolean => folders.some((folder) => path.startsWith(folder));

/** Headers of every answer about them, refusals too: pages of all sites may read them. */
export const publicFileHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id',
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

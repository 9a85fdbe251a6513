import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { logKeys } from '../../contracts/log.js';
import type { Described } from '../api/described.js';
import type { LogFiles } from '../tlog/files.js';
import { compress } from './compress.js';

/** Where they are. */
export const logPaths = {
  checkpoint: '/v1/ledger/checkpoint',
  keys: '/v1/ledger/keys',
  tile: '/v1/ledger/tile/*',
} as const;

/** Whether a path is that of a file of the log, or would be if there were one. These have a limit of their own. */
export const isLogFile = (path: string): boolean => path.startsWith('/v1/ledger/');

/** Of every answer about them, refusals too: whoever wants to check the log from a page of another site may. */
export const logFileHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id',
};

/** What a browser is told that asks before it fetches. It asks once a day. */
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/** What they say of themselves; see routes.ts. */
export const logRoutes: readonly Described[] = [
  {
    method: 'GET',
    path: logPaths.checkpoint,
    summary: 'The newest checkpoint of the transparency log',
    access: 'anybody',
    query: {},
    body: {},
    answers: { 200: { mediaType: 'text/plain', description: 'A signed note (C2SP tlog-checkpoint).' } },
    refusals: ['checkpoint_not_found'],
  },
  {
    method: 'GET',
    path: logPaths.keys,
    summary: 'The keys that sign, or have signed, the transparency log',
    access: 'anybody',
    query: {},
    body: {},
    answers: { 200: logKeys },
    refusals: [],
  },
  {
    method: 'GET',
    path: logPaths.tile,
    summary: 'A tile of the transparency log',
    access: 'anybody',
    query: {},
    body: {},
    answers: { 200: { mediaType: 'application/octet-stream', description: 'Hashes or entries (C2SP tlog-tiles).' } },
    refusals: ['tile_not_found'],
  },
];

/** The public log as files that anybody may read and keep: no credential, and nothing in them that is not public. */
export function addLogRoutes(server: FastifyInstance, files: LogFiles): void {
  server.get(logPaths.checkpoint, async (_request, reply) => {
    const note = await files.checkpoint();
    if (note === undefined) throw new Refusal('checkpoint_not_found');
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(note);
  });
  server.get(logPaths.keys, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify({ data: await files.keys() })),
  );
  server.get<{ Params: { '*': string } }>(logPaths.tile, async (request, reply) => {
    const path = request.params['*'];
    const tile = await files.tile(`tile/${path}`);
    if (!tile) throw new Refusal('tile_not_found');
    // A complete tile never changes; a partial one is superseded when it is complete.
    const cached = tile.complete ? 'public, max-age=31536000, immutable' : 'public, max-age=60';
    void reply.type('application/octet-stream').header('cache-control', cached);
    // Tiles of hashes cannot be made smaller, and checkpoints are too short.
    if (!path.startsWith('entries/')) return reply.send(Buffer.from(tile.bytes));
    const { bytes, headers } = await compress(request.raw, tile.bytes);
    return reply.headers(headers).send(Buffer.from(bytes));
  });
  for (const path of Object.values(logPaths)) {
    server.options(path, async (_request, reply) => reply.code(204).headers(preflight).send());
  }
}

import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../contracts/errors.js';
import { logKeys } from '../../contracts/log.js';
import type { LogFiles } from '../commands/log-files.js';
import type { Described } from './described.js';

/** Where they are. */
export const logPaths = {
  checkpoint: '/v1/ledger/checkpoint',
  keys: '/v1/ledger/keys',
  tile: '/v1/ledger/tile/*',
} as const;

/** Whether a route gives a file of the log, which has a limit of its own. */
export const isLogFile = (route: string): boolean => Object.values(logPaths).some((path) => path === route);

/** What they say of themselves; see routes.ts. */
export const logRoutes: readonly Described[] = [
  {
    method: 'GET',
    path: logPaths.checkpoint,
    summary: 'The newest checkpoint of the public log',
    access: 'anybody',
    query: {},
    body: {},
    answers: { 200: { mediaType: 'text/plain', description: 'A signed note (C2SP tlog-checkpoint).' } },
    refusals: ['checkpoint_not_found'],
  },
  {
    method: 'GET',
    path: logPaths.keys,
    summary: 'The keys that sign, or once signed, the public log',
    access: 'anybody',
    query: {},
    body: {},
    answers: { 200: logKeys },
    refusals: [],
  },
  {
    method: 'GET',
    path: logPaths.tile,
    summary: 'A tile of the public log',
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
    const tile = await files.tile(`tile/${request.params['*']}`);
    if (!tile) throw new Refusal('tile_not_found');
    // A complete tile never changes; a partial one is superseded when it is complete.
    const cached = tile.complete ? 'public, max-age=31536000, immutable' : 'public, max-age=60';
    return reply.type('application/octet-stream').header('cache-control', cached).send(Buffer.from(tile.bytes));
  });
}

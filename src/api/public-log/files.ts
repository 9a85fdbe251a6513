import { Refusal } from '../../../contracts/errors.js';
import { logKeys } from '../../../contracts/log.js';
import type { OneLogFiles } from '../../tlog/files.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';

/** The public log as files that anybody may read and keep: no credential, and nothing in them that is not public. */

export const exampleNote = `memory.example.org
42
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— memory.example.org Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;

export const checkpointOperation = operation({
  method: 'GET',
  path: '/v1/ledger/checkpoint',
  summary: 'The newest checkpoint of the transparency log',
  access: 'anybody',
  serving: { publicFile: true, cacheControl: 'no-cache' },
  answers: {
    200: { contentType: 'text/plain; charset=utf-8', description: 'A signed note (C2SP tlog-checkpoint).' },
  },
  refusals: ['checkpoint_not_found'],
  documentation: { id: 'getCheckpoint', answers: { 200: { body: exampleNote } } },
  async handle(_request, { receipts: { logFiles } }) {
    const body = await logFiles.checkpoint();
    if (body === undefined) throw new Refusal('checkpoint_not_found');
    return { status: 200, body };
  },
});

/** The keys of a log with one key, also for those of a log that has ended. */
export const exampleKeys = {
  data: [
    {
      id: 'c74f20a3',
      name: 'memory.example.org',
      verifier_key: 'memory.example.org+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
      not_before: samples.at,
      state: 'in use' as const,
      retired_after: null,
      index: 0,
    },
  ],
};

export const logKeysOperation = operation({
  method: 'GET',
  path: '/v1/ledger/keys',
  summary: 'The keys that sign, or have signed, the transparency log',
  access: 'anybody',
  serving: { publicFile: true },
  answers: { 200: logKeys },
  refusals: [],
  documentation: {
    id: 'getLogKeys',
    answers: { 200: { body: exampleKeys } },
  },
  handle: async (_request, { receipts: { logFiles } }) => ({ status: 200, body: { data: await logFiles.keys() } }),
});

export const tileOperation = operation({
  method: 'GET',
  path: '/v1/ledger/tile/*',
  summary: 'A tile of the transparency log',
  access: 'anybody',
  serving: { publicFile: true },
  answers: {
    200: { contentType: 'application/octet-stream', description: 'Hashes or entries (C2SP tlog-tiles).' },
  },
  refusals: ['tile_not_found'],
  documentation: { id: 'getTile', answers: {} },
  handle: ({ params: { '*': path = '' } }, { receipts: { logFiles } }) => tileAnswer(logFiles, path),
});

/** @throws Refusal tile_not_found */
export async function tileAnswer(files: OneLogFiles, path: string) {
  const tile = await files.tile(`tile/${path}`);
  if (!tile) throw new Refusal('tile_not_found');
  // A complete tile never changes; a partial one is superseded when it is complete.
  const kept = tile.complete ? 'public, max-age=31536000, immutable' : 'public, max-age=60';
  return {
    status: 200 as const,
    body: tile.bytes,
    headers: { 'cache-control': kept },
    // Tiles of hashes cannot be made smaller.
    compressible: path.startsWith('entries/'),
  };
}

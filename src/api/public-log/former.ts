import { Refusal } from '../../../contracts/errors.js';
import { logKeys } from '../../../contracts/log.js';
import { operation } from '../operation.js';
import { exampleKeys, exampleNote, tileAnswer } from './files.js';

/** The files of logs that have lost signed leaves and have ended, each up to the last checkpoint that is still whole. */

/** In a path: 1 for the first log. Nothing else is the number of a log. */
const numberOf = (text = ''): number => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0);

/** A count in a path; -1 for what is none. */
const countOf = (text = ''): number => (/^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : -1);

export const formerCheckpointOperation = operation({
  method: 'GET',
  path: '/v1/ledger/was/:log/checkpoint',
  summary: 'The last whole checkpoint of a log that has ended',
  access: 'anybody',
  serving: { publicFile: true },
  answers: {
    200: { contentType: 'text/plain; charset=utf-8', description: 'A signed note (C2SP tlog-checkpoint).' },
  },
  refusals: ['checkpoint_not_found'],
  documentation: { id: 'getFormerCheckpoint', answers: { 200: { body: exampleNote } } },
  async handle({ params: { log } }, { receipts: { logFiles } }) {
    const body = await logFiles.former(numberOf(log)).checkpoint();
    if (body === undefined) throw new Refusal('checkpoint_not_found', 'No log of this number has ended here.');
    return { status: 200, body };
  },
});

export const formerKeysOperation = operation({
  method: 'GET',
  path: '/v1/ledger/was/:log/keys',
  summary: 'The keys that have signed a log that has ended',
  access: 'anybody',
  serving: { publicFile: true },
  answers: { 200: logKeys },
  refusals: [],
  documentation: {
    id: 'getFormerKeys',
    answers: { 200: { body: exampleKeys } },
  },
  handle: async ({ params: { log } }, { receipts: { logFiles } }) => ({
    status: 200,
    body: { data: await logFiles.former(numberOf(log)).keys() },
  }),
});

export const formerTileOperation = operation({
  method: 'GET',
  path: '/v1/ledger/was/:log/tile/*',
  summary: 'A tile of a log that has ended',
  access: 'anybody',
  serving: { publicFile: true },
  answers: {
    200: { contentType: 'application/octet-stream', description: 'Hashes or entries (C2SP tlog-tiles).' },
  },
  refusals: ['tile_not_found'],
  documentation: { id: 'getFormerTile', answers: {} },
  handle: ({ params: { log, '*': path = '' } }, { receipts: { logFiles } }) =>
    tileAnswer(logFiles.former(numberOf(log)), path),
});

export const growthOperation = operation({
  method: 'GET',
  path: '/v1/ledger/growth/:head_index/:entries',
  summary: 'What shows how a workspace has grown up to a head in the log',
  access: 'anybody',
  serving: { publicFile: true },
  answers: {
    200: { contentType: 'application/octet-stream', description: 'A root, and the hashes of a consistency proof.' },
  },
  refusals: ['tile_not_found'],
  documentation: {
    id: 'getGrowth',
    description:
      'The root of the first `entries` entries of the workspace whose head is leaf `head_index`, and the consistency proof between that root and the head (RFC 6962), 32 bytes each. Auditors compare the root with that of an earlier head, also of a log that has ended.',
    answers: {},
  },
  async handle({ params: { head_index, entries } }, { receipts: { logFiles } }) {
    const body = await logFiles.growth(countOf(head_index), countOf(entries));
    if (!body)
      throw new Refusal('tile_not_found', 'The newest checkpoint covers no such head, or it has fewer entries.');
    return { status: 200, body, headers: { 'cache-control': 'public, max-age=60' } };
  },
});

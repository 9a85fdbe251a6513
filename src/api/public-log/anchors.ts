import { logAnchors, logAnchorsQuery } from '../../../contracts/log-anchors.js';
import { type AnchoredCheckpoint, anchoredCheckpoints } from '../../../projections/log/anchored.js';
import { cosignersOf } from '../../verifier/cosigners.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { exampleNote } from './files.js';

const exampleBlock = '00000000000000000001c3e5b7a9d8f60418a3b2c5d7e9f1a0b2c4d6e8f00112';

export const anchorsOperation = operation({
  method: 'GET',
  path: '/v1/ledger/anchors',
  summary: 'The checkpoints of the transparency log, newest first, with their witnesses and anchors',
  access: 'anybody',
  serving: { publicFile: true, cacheControl: 'public, max-age=60', revalidates: true },
  query: logAnchorsQuery,
  answers: { 200: logAnchors },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listLogAnchors',
    description:
      'The states are those that the service knows. A proof bundle has the proofs themselves, which anyone can check without the service.',
    answers: {
      200: {
        body: {
          data: [
            {
              size: 42,
              root: samples.hash,
              signed_at: samples.at,
              note: exampleNote,
              witnesses: [{ name: 'witness.example.org/w1', key_id: '5e2c1f04', signed_at: samples.later }],
              opentimestamps: {
                state: 'confirmed',
                submitted_at: samples.at,
                height: 940_120,
                block_hash: exampleBlock,
                block_time: samples.later,
              },
              ethereum: null,
            },
          ],
          next_cursor: null,
        },
      },
    },
  },
  async handle({ query: { limit, cursor } }, { reading: { read, cursors } }) {
    const before = cursor === undefined ? null : Number(cursors.open('anchors', [], cursor));
    const rows = await read((tx) => anchoredCheckpoints(tx, before, limit + 1));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const next_cursor = last ? cursors.seal('anchors', [], String(last.size)) : null;
    return { status: 200, body: { data: page.map(shapeOf), next_cursor } };
  },
});

function shapeOf(row: AnchoredCheckpoint) {
  const { size, root, signed_at, note, ots, submitted_at, height, block_hash, block_time } = row;
  return {
    size,
    root,
    signed_at,
    note,
    witnesses: cosignersOf(note),
    opentimestamps: { state: ots, submitted_at, height, block_hash, block_time },
    ethereum: onEthereum(row),
  };
}

function onEthereum(row: AnchoredCheckpoint) {
  const { ethereum: state, chain_id, contract, tx_hash } = row;
  const { ethereum_block_number: block_number, ethereum_block_hash: block_hash, ethereum_block_time: block_time } = row;
  if (state === null || chain_id === null || contract === null || tx_hash === null) return null;
  if (block_number === null || block_hash === null || block_time === null) return null;
  return { state, chain_id, contract, tx_hash, block_number, block_hash, block_time };
}

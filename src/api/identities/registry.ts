import { registryChain } from '../../../contracts/chains.js';
import { Refusal } from '../../../contracts/errors.js';
import { registryReceipt } from '../../../contracts/identities.js';
import { proofBundle } from '../../../contracts/receipt.js';
import { type ReceiptView, receiptById } from '../../../projections/receipts/queries.js';
import { operation } from '../operation.js';
import { entryShape } from '../receipts/shapes.js';
import { samples } from '../samples.js';
import type { ForReading } from '../services.js';
import { exampleAgentId, exampleKey } from './examples.js';

const exampleReceipt = {
  id: samples.receipt,
  receipt_id: samples.receipt,
  kind: 'identity.issued',
  seq: 42,
  hash: samples.hash,
  prev_hash: samples.otherHash,
  v: 1,
  workspace_id: registryChain,
  recorded_at: samples.at,
  actor: { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null },
  body: { agn_id: exampleAgentId, binding: { agent_name: 'Bot', public_key: exampleKey, vendor: 'Acme' } },
} as const;

export const registryReceiptOperation = operation({
  method: 'GET',
  path: '/v1/registry/receipts/:receipt_id',
  summary: 'A public entry of the registry: the entry that was hashed, and its hash',
  access: 'anybody',
  serving: { publicFile: true },
  answers: { 200: registryReceipt },
  refusals: ['receipt_not_found'],
  documentation: {
    id: 'getRegistryReceipt',
    description: 'It never changes. The proof shows the state of its anchors.',
    answers: { 200: { body: exampleReceipt } },
  },
  async handle({ params: { receipt_id: id = '' } }, { reading: { read } }) {
    const body = entryShape(await publicReceipt(read, id));
    return { status: 200, body, headers: { 'cache-control': 'public, max-age=31536000, immutable' } };
  },
});

export const registryProofOperation = operation({
  method: 'GET',
  path: '/v1/registry/receipts/:receipt_id/proof',
  summary: 'A proof bundle of a public entry of the registry',
  access: 'anybody',
  serving: { publicFile: true, revalidates: true },
  answers: { 200: proofBundle },
  refusals: ['receipt_not_found'],
  documentation: {
    id: 'getRegistryProof',
    description: 'As the proof of any receipt. It grows while anchors arrive.',
    answers: {
      200: {
        body: {
          format: 'counterfoil-proof/1',
          entry: 'eyJhY3RvciI6eyJhZ2VudF9pZCI6bnVsbH19',
          keys: [],
          anchors: [],
        },
      },
    },
  },
  async handle({ params: { receipt_id: id = '' } }, { reading: { read }, receipts: { prove } }) {
    const receipt = await publicReceipt(read, id);
    const headers = { 'cache-control': 'public, max-age=60' };
    return { status: 200, body: await prove(registryChain, receipt), headers };
  },
});

/** Only entries of the registry are found here, by the ids that the service has given them. @throws Refusal receipt_not_found */
async function publicReceipt(read: ForReading['read'], id: string): Promise<ReceiptView> {
  const row = /^rcp_[0-9a-f]{32}$/.test(id) ? await read((tx) => receiptById(tx, registryChain, id)) : undefined;
  if (!row) throw new Refusal('receipt_not_found');
  return row;
}

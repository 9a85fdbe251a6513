import { samples } from '../../../api/samples.js';
import type { Book } from '../told.js';

const receipt = {
  receipt_id: samples.receipt,
  kind: 'memory.write',
  seq: 42,
  hash: samples.hash,
  prev_hash: samples.otherHash,
  v: 1,
  workspace_id: samples.workspace,
  recorded_at: samples.at,
  actor: { type: 'key', id: samples.key, user_id: null, agent_id: 'concierge', app_id: 'travel desk', run_id: null },
  body: {
    memory_id: samples.memory,
    namespace_id: samples.namespace,
    content_bytes: 71,
    content_commitment: samples.contentHash,
  },
  anchor_state: 'submitted',
  anchor_tx: null,
  ots_proof: null,
  erc8004_emitted_at: null,
};

const claim = (name: string, state: string, text: string) => ({ name, state, text, details: {} });

export const receipts: Book = {
  'GET /v1/receipts': {
    id: 'listReceipts',
    query: { kind: 'memory.write', limit: '25' },
    answers: { 200: { says: 'A page of receipts.', body: { data: [receipt], next_cursor: samples.cursor } } },
  },
  'GET /v1/receipts/{receipt_id}': { id: 'getReceipt', answers: { 200: { body: receipt } } },
  'GET /v1/receipts/{receipt_id}/proof': {
    id: 'getProof',
    description:
      'If no checkpoint covers the receipt yet, one is signed. counterfoil verify and the page /verify check ' +
      'the bundle without this service.',
    answers: {
      200: {
        body: {
          format: 'counterfoil-proof/1',
          entry: 'eyJhY3RvciI6eyJhZ2VudF9pZCI6ImNvbmNpZXJnZSJ9fQ==',
          keys: [],
          anchors: [],
        },
      },
    },
  },
  'POST /v1/receipts/verify': {
    id: 'verifyReceipt',
    description:
      'For callers who trust this service. It checks a bundle with the keys of its own log, or says whether it knows the receipt with ' +
      'a hash. A bundle has at most 2.5 MiB.',
    request: { receipt_hash: samples.hash },
    answers: {
      200: {
        says: 'Whether the hash is known, or the claims of the bundle with the results of their checks.',
        body: {
          receipt: {
            receipt_id: samples.receipt,
            kind: 'memory.write',
            workspace_id: samples.workspace,
            seq: 42,
            recorded_at: samples.at,
            hash: samples.hash,
          },
          claims: [
            claim('entry', 'verified', 'The entry is whole and has the receipt hash that is shown.'),
            claim('content', 'absent', 'The bundle shows no content.'),
          ],
        },
      },
    },
  },
  'GET /v1/ledger/checkpoint': {
    id: 'getCheckpoint',
    answers: {
      200: {
        body: 'memory.example.org\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— memory.example.org Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n',
      },
    },
  },
  'GET /v1/ledger/keys': {
    id: 'getLogKeys',
    answers: {
      200: {
        body: {
          data: [
            {
              id: 'c74f20a3',
              name: 'memory.example.org',
              verifier_key: 'memory.example.org+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
              not_before: samples.at,
              state: 'in use',
              retired_after: null,
              index: 0,
            },
          ],
        },
      },
    },
  },
  'GET /v1/ledger/tile/{path}': { id: 'getTile', answers: {} },
};

import { catalogue, isEntryKind, kindsFor } from '../../../contracts/entries/catalogue.js';
import { Refusal } from '../../../contracts/errors.js';
import { proofBundle, receipt, receiptList, receiptListQuery } from '../../../contracts/receipt.js';
import { listReceipts, type ReceiptView, receiptById } from '../../../projections/receipts/queries.js';
import { type Caller, reaches } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { Services } from '../services.js';
import { receiptShape } from '../shapes.js';

const exampleReceipt = {
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

/** A narrowed key has no business with what people manage; another one sees of it what is about its own namespaces. */
function seesGovernance(caller: Caller): boolean {
  return caller.scopes.length === 0;
}

export const receiptListOperation = operation({
  method: 'GET',
  path: '/v1/receipts',
  summary: 'Receipts, newest first',
  access: 'memory.read',
  query: receiptListQuery,
  answers: { 200: receiptList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listReceipts',
    query: { kind: 'memory.write', limit: '25' },
    answers: {
      200: { description: 'A page of receipts.', body: { data: [exampleReceipt], next_cursor: samples.cursor } },
    },
  },
  async handle({ caller, query }, { read, cursors }) {
    const { kind, agent, since, until, limit, cursor } = query;
    const bound = [caller.workspaceId, kind, agent, since, until];
    const before = cursor === undefined ? null : Number(cursors.open('receipts', bound, cursor));
    const filter = {
      namespaceIds: caller.namespaceIds,
      kinds: seesGovernance(caller) ? null : kindsFor('memory'),
      kind,
      agent,
      since,
      until,
    };
    const rows = await read((tx) => listReceipts(tx, caller.workspaceId, filter, before, limit + 1));
    const shown = rows.slice(0, limit).map(receiptShape);
    const last = rows.length > limit ? lastOf(shown) : undefined;
    return {
      status: 200,
      body: { data: shown, next_cursor: last ? cursors.seal('receipts', bound, String(last.seq)) : null },
    };
  },
});

export const receiptOperation = operation({
  method: 'GET',
  path: '/v1/receipts/:receipt_id',
  summary: 'One receipt: the entry that was hashed, and its hash',
  access: 'memory.read',
  answers: { 200: receipt },
  refusals: ['receipt_not_found', 'namespace_out_of_scope'],
  documentation: { id: 'getReceipt', answers: { 200: { body: exampleReceipt } } },
  async handle({ caller, params }, { read }) {
    return { status: 200, body: receiptShape(await visibleReceipt(read, caller, params.receipt_id ?? '')) };
  },
});

/** @throws Refusal receipt_not_found, namespace_out_of_scope */
async function visibleReceipt(read: Services['read'], caller: Caller, id: string): Promise<ReceiptView> {
  // Postgres refuses NUL in text; an id with one in it cannot exist.
  const row = id.includes('\0') ? undefined : await read((tx) => receiptById(tx, caller.workspaceId, id));
  if (!row) throw new Refusal('receipt_not_found');
  const ofMemories = isEntryKind(row.kind) && catalogue[row.kind].audience === 'memory';
  const visible =
    (ofMemories || seesGovernance(caller)) && row.namespace_ids.every((namespaceId) => reaches(caller, namespaceId));
  if (!visible) throw new Refusal('namespace_out_of_scope');
  return row;
}

export const proofOperation = operation({
  method: 'GET',
  path: '/v1/receipts/:receipt_id/proof',
  summary: 'A proof bundle: everything that is needed to check a receipt offline',
  access: 'memory.read',
  answers: { 200: proofBundle },
  refusals: ['receipt_not_found', 'namespace_out_of_scope'],
  documentation: {
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
  async handle({ caller, params }, { read, prove }) {
    const row = await visibleReceipt(read, caller, params.receipt_id ?? '');
    return { status: 200, body: await prove(caller.workspaceId, row) };
  },
});

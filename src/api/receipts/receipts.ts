import { catalogue, isEntryKind, kindsFor } from '../../../contracts/entries/catalogue.js';
import { Refusal } from '../../../contracts/errors.js';
import { proofBundle, receipt, receiptList, receiptListQuery } from '../../../contracts/receipt.js';
import { listReceipts, type ReceiptView, receiptById } from '../../../projections/receipts/queries.js';
import { type Caller, reaches } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { endpoint, type Services } from '../operation.js';
import { receiptShape } from '../shapes.js';

/** A narrowed key has no business with what people manage; another one sees of it what is about its own namespaces. */
function seesGovernance(caller: Caller): boolean {
  return caller.scopes.length === 0;
}

export const receiptListEndpoint = endpoint({
  method: 'GET',
  path: '/v1/receipts',
  summary: 'Receipts, newest first',
  access: 'memory.read',
  query: receiptListQuery,
  body: {},
  answers: { 200: receiptList },
  refusals: ['invalid_cursor', 'invalid_request'],
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

export const receiptEndpoint = endpoint({
  method: 'GET',
  path: '/v1/receipts/:receipt_id',
  summary: 'One receipt: the entry that was hashed, and its hash',
  access: 'memory.read',
  query: {},
  body: {},
  answers: { 200: receipt },
  refusals: ['receipt_not_found', 'namespace_out_of_scope'],
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

export const proofEndpoint = endpoint({
  method: 'GET',
  path: '/v1/receipts/:receipt_id/proof',
  summary: 'A proof bundle: everything that is needed to check a receipt offline',
  access: 'memory.read',
  query: {},
  body: {},
  answers: { 200: proofBundle },
  refusals: ['receipt_not_found', 'namespace_out_of_scope'],
  async handle({ caller, params }, { read, prove }) {
    const row = await visibleReceipt(read, caller, params.receipt_id ?? '');
    return { status: 200, body: await prove(caller.workspaceId, row) };
  },
});

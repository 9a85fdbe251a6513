import { proofBundle } from '../../../contracts/receipt.js';
import { anyReceipt } from '../../../contracts/task-view.js';
import { operation } from '../operation.js';
import { exampleTask } from './examples.js';
import { visibleReceipt } from './find.js';
import { showReceipt } from './shown.js';

export const receiptOperation = operation({
  method: 'GET',
  path: '/v1/receipts/:receipt_id',
  summary: 'One receipt, by its id or the id that a client has given its task receipt',
  access: 'memory.read',
  answers: { 200: anyReceipt },
  refusals: ['receipt_not_found', 'namespace_out_of_scope'],
  documentation: {
    id: 'getReceipt',
    description:
      'The id of the service is looked up first. An id of a client is escaped as part of a URL; one that does not fit into a path is found with ' +
      'GET /v1/receipts?receipt_id=. Receipts other than those of tasks have the members v, workspace_id and body of their entry; decisions and handoffs ' +
      'also have what they say, as long as it was not erased.',
    answers: { 200: { body: exampleTask } },
  },
  async handle({ caller, params }, { read, vault }) {
    return { status: 200, body: await showReceipt(vault, await visibleReceipt(read, caller, params)) };
  },
});

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
    const row = await visibleReceipt(read, caller, params);
    return { status: 200, body: await prove(caller.workspaceId, row) };
  },
});

import { namedReceipt, privateErased, receiptQuery } from '../../../contracts/any-receipt.js';
import { Refusal } from '../../../contracts/errors.js';
import { proofBundle } from '../../../contracts/receipt.js';
import { queryProofIn } from '../../../contracts/search.js';
import { erasePrivate } from '../../commands/erase-private.js';
import { answeredBefore, onceIn } from '../../commands/once.js';
import { mayOpenQuery, mayReadTexts } from '../../domain/receipt-access.js';
import { namesFor } from '../names.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { exampleTask } from './examples.js';
import { visibleReceipt } from './find.js';
import { entryShape, partsWithIds } from './shapes.js';
import { showReceipt } from './shown.js';

export const receiptOperation = operation({
  method: 'GET',
  path: '/v1/receipts/:receipt_id',
  summary: 'One receipt, by its id or the id that a client has given its task receipt',
  access: 'receipts.read',
  query: receiptQuery,
  answers: { 200: namedReceipt },
  refusals: ['receipt_not_found', 'namespace_out_of_scope', 'invalid_request'],
  documentation: {
    id: 'getReceipt',
    description:
      'The id of the service is looked up first. An id of a client is escaped as part of a URL; one that does not fit into a path is found with ' +
      'GET /v1/receipts?receipt_id=. Receipts other than those of tasks have the members v, workspace_id and body of their entry; decisions and handoffs ' +
      'also have what they say, as long as it was not erased.',
    answers: { 200: { body: exampleTask } },
  },
  async handle({ caller, params, query }, { reading: { read, vault } }) {
    const shape = await showReceipt(vault, caller, await visibleReceipt(read, caller, params));
    const names = namesFor(caller, query.include === 'names');
    names.note(partsWithIds(shape));
    return { status: 200, body: { ...shape, ...(await names.read(read)) } };
  },
});

export const proofOperation = operation({
  method: 'GET',
  path: '/v1/receipts/:receipt_id/proof',
  summary: 'A proof bundle: everything that is needed to check a receipt offline',
  access: 'receipts.read',
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
  async handle({ caller, params }, { reading: { read }, receipts: { prove } }) {
    const row = await visibleReceipt(read, caller, params);
    return { status: 200, body: await prove(caller.workspaceId, row, { texts: mayReadTexts(caller, row) }) };
  },
});

export const queryProofOperation = operation({
  method: 'POST',
  path: '/v1/receipts/:receipt_id/proof',
  summary: 'A proof bundle of a search that shows its query',
  access: 'receipts.read',
  body: queryProofIn,
  answers: { 200: proofBundle },
  refusals: ['invalid_json', 'invalid_query', 'receipt_not_found', 'namespace_out_of_scope', 'admin_required'],
  documentation: {
    id: 'getQueryProof',
    body: 'QueryProofIn',
    description:
      'The receipt of a search commits to its query, and the service stores the salt of the commitment but not the query. So the one who has ' +
      'searched sends the query again, exactly as it was. If the receipt commits to it, the bundle discloses query and salt, and the claim content ' +
      'is about the query. It is for the key or the person who has searched, for a person whose grant has searched, and for owners and admins ' +
      'if a key or an agent key has. Nothing is recorded or stored. Other kinds of receipts are not found.',
    request: { query: 'Where does Ada live?' },
    answers: {
      200: {
        body: {
          format: 'counterfoil-proof/1',
          entry: 'eyJhY3RvciI6eyJhZ2VudF9pZCI6ImNvbmNpZXJnZSJ9fQ==',
          disclosed: {
            salt: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=',
            content: null,
            metadata: null,
            source: null,
            query: 'Where does Ada live?',
          },
          keys: [],
          anchors: [],
        },
      },
    },
  },
  async handle(
    { caller, params, body, once },
    { reading: { read }, writing: { transaction, world }, receipts: { prove } },
  ) {
    const { workspaceId } = caller;
    await read((tx) => answeredBefore(tx, workspaceId, once, world.now()));
    const row = await visibleReceipt(read, caller, params);
    const { actor } = entryShape(row);
    if (row.kind !== 'memory.recall') throw new Refusal('receipt_not_found');
    if (!mayOpenQuery(actor, caller)) {
      throw new Refusal(
        'admin_required',
        'Only the one who has searched may have the query opened, and of a key an owner or admin.',
      );
    }
    const bundle = await prove(workspaceId, row, { query: body.query });
    // Only that the key was used: the bundle has the query, which is stored nowhere. A repetition makes the bundle again.
    if (once)
      await transaction((tx) => onceIn(tx, workspaceId, once, world.now(), async () => ({ status: 200, body: {} })));
    return { status: 200, body: bundle };
  },
});

export const privateEraseOperation = operation({
  method: 'DELETE',
  path: '/v1/receipts/:receipt_id/private',
  summary: 'Erase the private text of a task receipt, a decision or a handoff',
  access: 'manage the workspace',
  counted: 'write',
  answers: { 200: privateErased },
  refusals: ['receipt_not_found', 'receipt_unavailable'],
  documentation: {
    id: 'erasePrivateText',
    description:
      'Destroys the salt of the commitment together with the text: of a task receipt task_summary and all members that the schema does not ' +
      'name, of a decision summary, options, chosen and reason, of a handoff summary and task. The receipt and its bundles still verify. ' +
      'A repetition answers with the receipt of the first erasure. Other kinds of receipts are not found.',
    answers: { 200: { body: { id: samples.receipt, private_erased: true, receipt_id: samples.otherReceipt } } },
  },
  async handle({ caller, params }, { reading: { read }, writing: { run, world } }) {
    const { receipt_id: receiptId, task_id: clientId } = await visibleReceipt(read, caller, params);
    return { status: 200, body: await run(caller.workspaceId, erasePrivate(world, caller, { receiptId, clientId })) };
  },
});

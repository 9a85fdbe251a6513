import { privateErased } from '../../../contracts/any-receipt.js';
import { erasePrivate } from '../../commands/erase-private.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { visibleReceipt } from './find.js';

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

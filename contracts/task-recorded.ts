import { z } from 'zod';
import { limits } from './limits.js';
import { market } from './market.js';
import { submittedReceipt } from './submitted-receipt.js';
import { defaultVendorPlatforms } from './task-receipt.js';

/** The shapes of `POST /v1/receipts` for the description. What is sent is read by src/domain/task/read.ts. */
const taskReceiptIn = submittedReceipt(defaultVendorPlatforms).extend({ market: market.exactOptional() }).meta({
  id: 'TaskReceiptIn',
  description:
    'One task of an agent, as its platform reports it. Members that are not named here are kept as they are sent.',
});

export const taskReceiptsIn = z.union([
  taskReceiptIn,
  z
    .strictObject({ receipts: z.array(taskReceiptIn).min(1).max(limits.receiptsPerBatch) })
    .meta({ id: 'TaskReceiptBatch' }),
]);

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const taskRecorded = z
  .object({
    id: z.string().describe('The receipt id of the service.'),
    receipt_id: z.string().describe('The id that the client has chosen.'),
    receipt_hash: hash,
    seq: z.int().min(1),
    hash: hash.describe('The same as receipt_hash.'),
    prev_hash: hash,
    scope_violations: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe('The tools outside declared_scope, in the order of their first call; null when no scope was declared.'),
    duplicate: z
      .boolean()
      .describe('Whether the same receipt was recorded before. The other members are then those of the first one.'),
  })
  .meta({ id: 'TaskRecorded', description: 'A task receipt that is in the ledger.' });

export const tasksRecorded = z
  .object({
    data: z.array(taskRecorded).readonly().describe('One for each receipt, in the order in which they were sent.'),
  })
  .meta({ id: 'TasksRecorded' });

import { z } from 'zod';
import { handlePattern } from './agents.js';
import { field } from './input.js';
import { limits } from './limits.js';
import { cursor, nextCursor } from './memory.js';
import { moment } from './moment.js';
import { taskStatuses } from './task-receipt.js';
import { anyReceipt } from './task-view.js';
import { printableId, storableText } from './text.js';

export const receiptList = z.object({ data: z.array(anyReceipt), next_cursor: nextCursor }).meta({ id: 'ReceiptList' });

const agent = storableText
  .refine((text) => !text.startsWith('@') || handlePattern.test(text), 'must be the id of an agent, or a handle')
  .optional()
  .describe('Only what the agent with this id did; for @ and a name, only task receipts with this handle.');

const status = z.enum(taskStatuses).optional().describe('Only task receipts with this status.');

const trace = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must have 32 lowercase hex digits')
  .optional()
  .describe('Only task receipts of this trace.');

export const receiptListQuery = {
  kind: field(storableText.optional().describe('Only receipts of this kind.'), 'invalid_request'),
  agent: field(agent, 'invalid_request'),
  since: field(moment.optional().describe('Recorded at this time or later.'), 'invalid_request'),
  until: field(moment.optional().describe('Recorded before this time.'), 'invalid_request'),
  receipt_id: field(
    printableId.optional().describe('Only the receipt with this id: that of the service, or else that of the client.'),
    'invalid_request',
  ),
  status: field(status, 'invalid_request'),
  session: field(storableText.optional().describe('Only task receipts of this session.'), 'invalid_request'),
  trace: field(trace, 'invalid_request'),
  limit: field(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(limits.listMax))
      .default(limits.listDefault),
    'invalid_request',
  ),
  cursor,
} as const;

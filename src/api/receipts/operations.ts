import type { Operation } from '../operation.js';
import { receiptExportOperation } from './export.js';
import { receiptListOperation } from './list.js';
import { privateEraseOperation, proofOperation, queryProofOperation, receiptOperation } from './receipts.js';
import { taskSubmitOperation } from './submit.js';
import { receiptTraceOperation } from './trace.js';
import { verifyOperation } from './verify.js';

export const taskOperations: readonly Operation[] = [taskSubmitOperation];

export const receiptOperations: readonly Operation[] = [
  receiptListOperation,
  receiptExportOperation,
  receiptOperation,
  proofOperation,
  queryProofOperation,
  receiptTraceOperation,
  privateEraseOperation,
  verifyOperation,
];

import type { Operation } from '../operation.js';
import { approvalGetOperation, approvalListOperation, approveOperation, rejectOperation } from './approvals.js';
import { approvalMemoriesOperation } from './memories.js';

export const approvalOperations: readonly Operation[] = [
  approvalListOperation,
  approvalGetOperation,
  approvalMemoriesOperation,
  approveOperation,
  rejectOperation,
];

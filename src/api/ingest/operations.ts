import type { Operation } from '../operation.js';
import { importOperation, jobListOperation, jobOperation, retryOperation } from './ingest.js';
import { retryJobsOperation } from './retry.js';

export const ingestOperations: readonly Operation[] = [
  jobOperation,
  retryOperation,
  retryJobsOperation,
  jobListOperation,
  importOperation,
];

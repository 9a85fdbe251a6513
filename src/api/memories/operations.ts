import type { Operation } from '../operation.js';
import { memoryAddOperation } from './add.js';
import { memoryBatchOperation } from './batch.js';
import { bulkDeleteOperation } from './bulk-delete.js';
import { deleteSelectedOperation } from './delete-selected.js';
import { memoryExportOperation } from './export.js';
import { memoryInvalidateOperation, memoryReinstateOperation } from './invalidate.js';
import { memoryListOperation } from './list.js';
import { memoryDeleteOperation, memoryOperation } from './one.js';
import { memoryRecallsOperation } from './recalls.js';
import { searchOperation } from './search.js';
import { unusedMemoriesOperation } from './unused.js';

export const memoryOperations: readonly Operation[] = [
  memoryListOperation,
  memoryAddOperation,
  memoryBatchOperation,
  searchOperation,
  bulkDeleteOperation,
  deleteSelectedOperation,
  memoryOperation,
  memoryDeleteOperation,
  memoryInvalidateOperation,
  memoryReinstateOperation,
  memoryRecallsOperation,
  unusedMemoriesOperation,
  memoryExportOperation,
];

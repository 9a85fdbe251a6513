import type { Operation } from '../operation.js';
import { checkpointOperation, logKeysOperation, tileOperation } from './files.js';
import { formerCheckpointOperation, formerKeysOperation, formerTileOperation, growthOperation } from './former.js';

export const publicLogOperations: readonly Operation[] = [
  checkpointOperation,
  logKeysOperation,
  tileOperation,
  formerCheckpointOperation,
  formerKeysOperation,
  formerTileOperation,
  growthOperation,
];

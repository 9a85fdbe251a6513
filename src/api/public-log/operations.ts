import type { Operation } from '../operation.js';
import { anchorsOperation } from './anchors.js';
import { checkpointOperation, logKeysOperation, tileOperation } from './files.js';
import { formerCheckpointOperation, formerKeysOperation, formerTileOperation, growthOperation } from './former.js';

export const publicLogOperations: readonly Operation[] = [
  checkpointOperation,
  logKeysOperation,
  anchorsOperation,
  tileOperation,
  formerCheckpointOperation,
  formerKeysOperation,
  formerTileOperation,
  growthOperation,
];

import type { Operation } from '../operation.js';
import { memberAddOperation, memberChangeOperation, memberListOperation, memberRemoveOperation } from './members.js';
import { rulesChangeOperation, rulesOperation } from './rules.js';
import { usageOperation } from './usage.js';
import { workspaceChangeOperation, workspaceOperation } from './workspace.js';

export const rulesOperations: readonly Operation[] = [rulesOperation, rulesChangeOperation];

export const memberOperations: readonly Operation[] = [
  usageOperation,
  workspaceOperation,
  workspaceChangeOperation,
  memberListOperation,
  memberAddOperation,
  memberChangeOperation,
  memberRemoveOperation,
];

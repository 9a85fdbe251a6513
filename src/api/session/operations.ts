import type { Operation } from '../operation.js';
import { passwordOperation, sessionEndOperation, sessionListOperation } from './account.js';
import { providerBeginOperation, providerFinishOperation } from './provider.js';
import { sessionMoveOperation, sessionOperation, signInOperation, signOutOperation } from './session.js';

export const sessionOperations: readonly Operation[] = [
  sessionOperation,
  signInOperation,
  sessionMoveOperation,
  signOutOperation,
  passwordOperation,
  sessionListOperation,
  sessionEndOperation,
  providerBeginOperation,
  providerFinishOperation,
];

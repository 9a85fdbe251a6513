import type { Operation } from '../operation.js';
import { feedbackOperation } from './feedback.js';
import { challengeOperation, identityListOperation } from './identities.js';
import { identityIssueOperation } from './issue.js';
import { agentRegistrationOperation, serviceRegistrationOperation } from './registration.js';
import { registryProofOperation, registryReceiptOperation } from './registry.js';

export const identityOperations: readonly Operation[] = [
  identityListOperation,
  feedbackOperation,
  challengeOperation,
  identityIssueOperation,
  agentRegistrationOperation,
  serviceRegistrationOperation,
  registryReceiptOperation,
  registryProofOperation,
];

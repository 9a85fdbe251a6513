import type { Operation } from '../operation.js';
import { kafkaSecretOperation } from './kafka-secret.js';
import {
  keyBindingsOperation,
  keyBindOperation,
  keyCreateOperation,
  keyListOperation,
  keyRevokeOperation,
} from './keys.js';

export const keyOperations: readonly Operation[] = [
  keyListOperation,
  keyCreateOperation,
  keyRevokeOperation,
  kafkaSecretOperation,
  keyBindingsOperation,
  keyBindOperation,
];

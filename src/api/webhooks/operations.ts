import type { Operation } from '../operation.js';
import { deliveryListOperation, redeliverOperation } from './deliveries.js';
import { webhookCreateOperation, webhookDeleteOperation, webhookListOperation } from './webhooks.js';

export const webhookOperations: readonly Operation[] = [
  webhookListOperation,
  webhookCreateOperation,
  webhookDeleteOperation,
  deliveryListOperation,
  redeliverOperation,
];

import type { Operation } from '../operation.js';
import { deliveryListOperation, redeliverOperation } from './deliveries.js';
import { workspaceWebhooksOperation } from './of-workspace.js';
import { webhookCreateOperation, webhookDeleteOperation, webhookListOperation } from './webhooks.js';

export const webhookOperations: readonly Operation[] = [
  webhookListOperation,
  workspaceWebhooksOperation,
  webhookCreateOperation,
  webhookDeleteOperation,
  deliveryListOperation,
  redeliverOperation,
];

import type { Operation } from '../operation.js';
import { alertDeleteOperation, alertListOperation, alertSetOperation } from './alerts.js';
import { entitlementOperation } from './entitlement.js';
import { streamOperation } from './stream.js';
import { unwatchOperation, watchlistOperation, watchOperation } from './watchlist.js';

export const terminalOperations: readonly Operation[] = [
  entitlementOperation,
  watchlistOperation,
  watchOperation,
  unwatchOperation,
  alertListOperation,
  alertSetOperation,
  alertDeleteOperation,
  streamOperation,
];

import type { Tool } from './tool.js';
import { getContext } from './tools/get-context.js';
import { listSubscriptions } from './tools/list-subscriptions.js';
import { recall } from './tools/recall.js';
import { recordActionBatch } from './tools/record-action-batch.js';
import { subscribe } from './tools/subscribe.js';
import { unsubscribe } from './tools/unsubscribe.js';

/** The tools in the order in which they are listed. */
export const tools: readonly Tool[] = [
  listSubscriptions,
  recall,
  getContext,
  recordActionBatch,
  subscribe,
  unsubscribe,
];

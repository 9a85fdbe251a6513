import { readMatchable } from '../../projections/memory/queries.js';
import { type NewDelivery, queueDeliveries } from '../../projections/webhooks/deliveries.js';
import type { Listening } from '../../projections/webhooks/queries.js';
import { inSlices } from '../base/steps.js';
import type { World } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import { searchedText } from '../domain/contained.js';
import { comparableObject } from '../domain/exact-json.js';
import { matches, needsText } from '../domain/pattern.js';
import { storedPattern } from '../domain/stored-pattern.js';

/**
 * Queues the deliveries about memories that become ready in this transaction, so that neither is there without
 * the other.
 * @param contents by memory
 * @returns whether there is something to send
 */
export async function queueForWebhooks(
  tx: Transaction,
  webhooks: readonly Listening[],
  contents: ReadonlyMap<string, string>,
  world: World,
): Promise<boolean> {
  if (webhooks.length === 0 || contents.size === 0) return false;
  const listening = webhooks.map((webhook) => {
    const namespaces = webhook.namespace_ids && new Set(webhook.namespace_ids);
    return { ...webhook, pattern: storedPattern(webhook.pattern), namespaces };
  });
  const deliveries: NewDelivery[] = [];
  for (const { id: memoryId, workspace_id, metadata, ...row } of await readMatchable(tx, [...contents.keys()])) {
    const memory = { ...row, metadata: once(() => comparableObject(metadata).value) };
    const near = listening.filter(
      (one) => one.workspace_id === workspace_id && (!one.namespaces || one.namespaces.has(row.namespace_id)),
    );
    // Only some patterns need the text. A long one is converted while the thread does other work.
    const isNeeded = near.some(({ pattern }) => needsText(pattern, memory));
    const text = await inSlices(searchedText(isNeeded ? (contents.get(memoryId) ?? '') : ''));
    for (const { id: webhookId, pattern } of near) {
      if (matches(pattern, { ...memory, text: () => text })) deliveries.push({ id: world.id(), webhookId, memoryId });
    }
  }
  if (deliveries.length > 0) await queueDeliveries(tx, deliveries, world.now());
  return deliveries.length > 0;
}

function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

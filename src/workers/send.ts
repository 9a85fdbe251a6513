import type { MemoryView } from '../../projections/memory/queries.js';
import type { ClaimedDelivery } from '../../projections/webhooks/deliveries.js';
import type { Target } from '../../projections/webhooks/projection.js';
import type { PublicFetch } from '../adapters/public-fetch.js';
import { stringify } from '../base/json-text.js';
import type { World } from '../base/world.js';
import { summaryShape } from '../commands/memory-shape.js';
import { targetOf } from '../commands/webhooks.js';
import { signatureHeaders } from '../domain/webhooks.js';

/** The outcome of a request. */
export interface Attempted {
  /** Null where nothing was answered. */
  readonly statusCode: number | null;
  /** Why it is no success, for people; null when it is one. */
  readonly error: string | null;
}

/** Sends one delivery and says how it went; no outcome there is an error of this service. */
export type Send = (delivery: ClaimedDelivery, memory: MemoryView) => Promise<Attempted>;

const timeoutMs = 10_000;

/**
 * @param fetch resolves the name again and connects to the address that it has checked. Redirects are answers like others, and
 *   of an answer only the status is read.
 */
export function createSend(fetch: PublicFetch, world: World, allowPrivate: boolean): Send {
  return async (delivery, memory) => {
    const { url: text, secret }: Target = JSON.parse(delivery.content);
    const body = stringify({
      id: delivery.id,
      type: 'memory.admitted',
      created_at: delivery.created_at,
      data: {
        memory: summaryShape(memory, [memory.namespace_id]),
        receipt_id: memory.receipt_id,
        receipt_hash: memory.receipt_hash,
      },
    });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'counterfoil/0.1',
      ...signatureHeaders(secret, delivery.id, world.now(), body),
    };
    // Whether http may be spoken is a setting, which may have been another one when the webhook was made.
    const url = targetOf(text, allowPrivate);
    if (url === null) return { statusCode: null, error: 'it is not an https address' };
    try {
      const request = { method: 'POST', headers, body, timeoutMs, maxBytes: null, redirects: 0 } as const;
      const { status } = await fetch(url, request);
      const error = status >= 200 && status <= 299 ? null : `it answered ${status}`;
      return { statusCode: status, error };
    } catch (error) {
      return { statusCode: null, error: error instanceof Error ? error.message : 'it cannot be reached' };
    }
  };
}

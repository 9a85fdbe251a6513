import { createHash, createHmac } from 'node:crypto';
import { Refusal } from '../../contracts/errors.js';
import type { RequestKey } from '../commands/once.js';
import type { Caller } from '../domain/caller.js';

/** @throws Refusal invalid_request for a key that is no key */
export type RequestKeys = (caller: Caller, key: string | undefined, url: string, body: Uint8Array) => RequestKey;

/**
 * Reads the header Idempotency-Key. A key is its credential's own: what another credential of the workspace was answered
 * may be about namespaces that this one does not reach.
 * @param secret what digests are made with, the same in every process on the store
 */
export function createRequestKeys(secret: Uint8Array): RequestKeys {
  return ({ actor, agent }, key, url, body) => {
    if (key === undefined) return null;
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new Refusal('invalid_request', 'Idempotency-Key takes 1 to 255 printable characters without spaces.');
    }
    return {
      requestKey: createHash('sha256').update(`${actor.type}\n${actor.id}\n${key}`).digest('hex'),
      // One line for the address, so that nothing moves between it and the body.
      digest: createHmac('sha256', secret)
        .update(`${url}${agent === null ? '' : ` ${agent}`}\n`)
        .update(body)
        .digest('hex'),
    };
  };
}

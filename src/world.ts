import { randomBytes, randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { PasswordCosts } from './adapters/passwords/argon2.js';

/** Everything that is not a function of its input, in one object, so that a test can put its own in its place. */
export interface World {
  now(): Date;
  /** A UUID v7: ids made later sort after those made before in this process. */
  id(): string;
  /** A random UUID for things that are never listed, such as commands and leases. */
  nonce(): string;
  /** `count` unpredictable bytes. */
  random(count: number): Uint8Array;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** How much work a new password's hash is, where that is not what a service needs: tests have many people. */
  readonly passwordCosts?: PasswordCosts;
}

export const realWorld: World = {
  now: () => new Date(),
  id: () => uuidv7(),
  nonce: () => randomUUID(),
  random: pooledBytes(randomBytes),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
      if (signal?.aborted) done();
    }),
};

/** Bytes of a pool for each request: asking the system takes 10 µs and more, however few are asked for. */
function pooledBytes(take: (count: number) => Uint8Array, size = 4096): World['random'] {
  let left: Uint8Array = new Uint8Array();
  return (count) => {
    if (left.length < count) left = take(Math.max(size, count));
    // A copy: whoever keeps it would keep the whole pool, and with it what others were given.
    const bytes = Uint8Array.from(left.subarray(0, count));
    left.fill(0, 0, count);
    left = left.subarray(count);
    return bytes;
  };
}

/** `rcp_` and the 32 hex digits of a UUID. */
export function receiptId(world: World): string {
  return `rcp_${world.id().replaceAll('-', '')}`;
}

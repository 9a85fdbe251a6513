import { randomBytes, randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

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
}

export const realWorld: World = {
  now: () => new Date(),
  id: () => uuidv7(),
  nonce: () => randomUUID(),
  random: (count) => randomBytes(count),
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

/** `rcp_` and the 32 hex digits of a UUID. */
export function receiptId(world: World): string {
  return `rcp_${world.id().replaceAll('-', '')}`;
}

import { randomBytes, randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import { uuidv7, V7Generator } from 'uuidv7';

/** The cost parameters of hashing a password with Argon2id. */
export interface PasswordCosts {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Clock, randomness and waiting in one object, so that a test can replace them. */
export interface World {
  now(): Date;
  /** Milliseconds since the machine started, those in which it slept included. Setting its clock does not change them. */
  uptime(): number;
  /** Why nothing may be recorded with the time of the clock, as a sentence; null while nothing speaks against the clock. */
  doubt(): string | null;
  /** A UUID v7: ids made later sort after those made before in this process. */
  id(): string;
  /** A random UUID for things that are never listed, such as commands and leases. */
  nonce(): string;
  /** `count` unpredictable bytes. */
  random(count: number): Uint8Array;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** The costs of hashing a password. Tests set lower costs, because they create many people. */
  readonly passwordCosts?: PasswordCosts;
}

export const realWorld: World = {
  now: () => new Date(),
  uptime: () => uptime() * 1000,
  doubt: () => null,
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

/** The clock may be wrong, so nothing was recorded. The message is a sentence for the caller. */
export class ClockInDoubt extends Error {
  override name = 'ClockInDoubt';
}

/** The time for what is stored and cannot be taken back. @throws ClockInDoubt */
export function certainTime(world: Pick<World, 'now' | 'doubt'>): Date {
  const now = world.now();
  // This comes after the time was read, so that a clock that was set between the two is noticed.
  const doubt = world.doubt();
  if (doubt !== null) throw new ClockInDoubt(doubt);
  return now;
}

/** Takes bytes from a pool, because one call to the system takes 10 µs or more for any number of bytes. */
function pooledBytes(take: (count: number) => Uint8Array, size = 4096): World['random'] {
  let left: Uint8Array = new Uint8Array();
  return (count) => {
    if (left.length < count) left = take(Math.max(size, count));
    // This is a copy. A view would keep the whole pool in memory, with the random bytes of other callers.
    const bytes = Uint8Array.from(left.subarray(0, count));
    left.fill(0, 0, count);
    left = left.subarray(count);
    return bytes;
  };
}

/**
 * A UUID v7 whose 74 random bits belong to it alone. The ids of `World.id` that are made within one millisecond differ by a
 * counter, so someone who knows the id of one workspace could guess that of another that was made beside it.
 */
export function workspaceId(): string {
  return new V7Generator().generate().toString();
}

/** The least UUID v7 of the last `ms` milliseconds, by the clock that ids are made with: those made since then sort after it. */
export function idsSince(world: Pick<World, 'id'>, ms: number): string {
  const time = Number.parseInt(world.id().replace('-', '').slice(0, 12), 16) - ms;
  const digits = Math.max(0, time).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** `rcp_` and the 32 hex digits of a UUID. */
export function receiptId(world: World): string {
  return `rcp_${world.id().replaceAll('-', '')}`;
}

const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const inAnyCase = new RegExp(pattern, 'i');

/** Whether a text is a UUID in any spelling of its digits, as clients may send it (RFC 9562). */
export function isUuid(text: string): boolean {
  return inAnyCase.test(text);
}

/** Whether a text is a UUID as this service writes it: with small letters. */
export function isWrittenUuid(text: string): boolean {
  return pattern.test(text);
}

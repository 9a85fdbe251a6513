import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Refusal } from '../../../contracts/errors.js';
import { openThreads } from '../threads/threads.js';
import { type Hashing, isHash, recommendedCosts } from './argon2.js';

/**
 * The number of hashes that are computed at the same time. One core is left for other requests, and each hash takes 64 MiB.
 */
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
/** The largest number of running and waiting hashes. On an idle machine each waits for at most two seconds. */
const most = atOnce * 9;
/** The part of them for one workspace that adds members, or one address that signs in: it keeps no one else from signing in. */
const mostOfOne = atOnce * 7;
/** For one hash. A busy machine takes up to twenty times as long as an idle one. A thread that takes longer hangs. */
const deadlineMs = 30_000;

export interface Passwords {
  /**
   * Argon2id in its encoded form.
   * @param owner whose work it is: see `Task`
   * @param like a hash whose salt is used too, so that one computation shows whether a password matches either of them
   * @throws Refusal rate_limited, not_ready
   */
  hash(owner: string, password: string, like?: string): Promise<string>;
  /**
   * Returns which of the hashes the password matches. It always computes exactly one hash, with the salt of the first
   * one, so only hashes with the same salt can match.
   * @throws Refusal rate_limited, not_ready
   */
  opens(owner: string, hashes: readonly string[], password: string): Promise<readonly boolean[]>;
  /** @throws Refusal rate_limited when too many are waiting already */
  requireRoom(): void;
  close(): Promise<void>;
}

/**
 * Hashes passwords in separate threads. The library's asynchronous functions would use all four threads with which Node
 * reads files and resolves names, and a flood of sign-ins would block both.
 */
export function openPasswords(costs = recommendedCosts): Passwords {
  const threads = openThreads({
    threads: atOnce,
    heldBytes: most,
    own: { heldBytes: mostOfOne },
    what: 'checks of passwords',
    deadlineMs,
  });
  let held = 0;
  const requireRoom = () => {
    if (held >= most) throw tooMany();
  };
  const compute = async (owner: string, hashing: Hashing): Promise<string> => {
    held += 1;
    try {
      return await threads.run({ owner, bytes: 1 }, 'hashPassword', hashing);
    } finally {
      held -= 1;
    }
  };
  return {
    requireRoom,
    hash: (owner, password, like) => compute(owner, { password, like: like ?? null, costs }),
    async opens(owner, hashes, password) {
      const computed = Buffer.from(await compute(owner, { password, like: hashes.find(isHash) ?? null, costs }));
      return hashes.map((hash) => {
        const one = Buffer.from(hash);
        return one.length === computed.length && timingSafeEqual(one, computed);
      });
    },
    close: threads.close,
  };
}

const tooMany = () =>
  new Refusal('rate_limited', 'Many passwords are being checked at this moment. Wait 2 s.', { retry_after_seconds: 2 });

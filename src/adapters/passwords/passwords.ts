import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Refusal } from '../../../contracts/errors.js';
import { builtFile } from '../../package-root.js';
import { openThreads } from '../threads.js';
import { type Hashing, isHash, recommendedCosts } from './argon2.js';

/** Checks at the same time: one core is left to those who read and write, and each takes 64 MiB. */
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Under way or waiting: each waits for at most two seconds on an idle machine. */
const most = atOnce * 9;
/** Of these, hashes that signed-in people ask for: nobody who adds members keeps others from signing in. */
const mostNew = atOnce * 3;
/** How long a thread outlives the last password. It starts in 0.1 s. */
const idleMs = 30_000;
/** Of one check. A busy machine takes twenty times as long as an idle one; what takes longer hangs. */
const deadlineMs = 30_000;

export interface Passwords {
  /**
   * Argon2id in its encoded form.
   * @param like a hash whose salt is to be used too, so that one computation tells whether a password opens either of them
   * @throws Refusal rate_limited, not_ready
   */
  hash(password: string, like?: string): Promise<string>;
  /**
   * Which of the hashes the password opens. It computes exactly one hash, however many there are: with the salt of the first
   * one, so it opens only those that have the same.
   * @throws Refusal rate_limited, not_ready
   */
  opens(hashes: readonly string[], password: string): Promise<readonly boolean[]>;
  /** @throws Refusal rate_limited when so many wait that no more may wait with them */
  requireRoom(): void;
  close(): Promise<void>;
}

/**
 * Passwords are hashed in threads of their own. The library's asynchronous functions would take all four threads that
 * Node reads files and resolves names with, and a flood of sign-ins would stop both.
 */
export function openPasswords(costs = recommendedCosts): Passwords {
  const threads = openThreads<Hashing, string>({
    file: builtFile('adapters/passwords/thread.js'),
    ...{ threads: atOnce, heldBytes: most, idleMs, deadlineMs },
  });
  const held = { all: 0, new: 0 };
  const requireRoom = () => {
    if (held.all >= most) throw tooMany();
  };
  const compute = async (hashing: Hashing): Promise<string> => {
    requireRoom();
    held.all += 1;
    try {
      return await threads.run(1, hashing);
    } finally {
      held.all -= 1;
    }
  };
  return {
    requireRoom,
    async hash(password, like) {
      if (held.new >= mostNew) throw tooMany();
      held.new += 1;
      try {
        return await compute({ password, like: like ?? null, costs });
      } finally {
        held.new -= 1;
      }
    },
    async opens(hashes, password) {
      const computed = Buffer.from(await compute({ password, like: hashes.find(isHash) ?? null, costs }));
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

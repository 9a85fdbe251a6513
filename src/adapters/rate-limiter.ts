import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { type RateLimit, rateLimits } from '../../contracts/limits.js';
import { certainTime, type World } from '../base/world.js';
import type { OpenedDatabase, Value } from '../database/database.js';

/** The budget of one client after its requests were counted. */
export interface Spent {
  /** How many of the requests the limit allows. */
  readonly allowed: number;
  /** The seconds that the requests beyond it have to wait; 0 when there are none. */
  readonly waitSeconds: number;
  /** How many more requests are allowed until the window ends. */
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Counts requests as `count` does, and says what is left. */
  spend(limit: RateLimit, who: string, requests?: number): Promise<Spent>;
  /**
   * Counts requests of `who` for a limit, one if their number is not given. All of them are counted, also when they are
   * more than the limit still allows. @returns the seconds to wait before the next attempt; 0 when they are allowed
   */
  count(limit: RateLimit, who: string, requests?: number): Promise<number>;
  /** Takes back one counted request of `who`. */
  giveBack(limit: RateLimit, who: string): Promise<void>;
  /** Resets the count of `who`. */
  forgive(limit: RateLimit, who: string): Promise<void>;
}

/**
 * Counts requests in windows of a minute. A window begins with the first request of a client.
 * @param shared the server through which several processes count together; null for a store that only this process
 *   holds, which counts in memory: a statement for each request would cost the embedded database a millisecond of its one
 *   connection.
 */
export function openRateLimiter(shared: OpenedDatabase['statement'], world: Pick<World, 'now' | 'doubt'>): RateLimiter {
  const limiters = new Map<RateLimit, RateLimiterAbstract>();
  for (const limit of Object.values(rateLimits))
    limiters.set(limit, limiterOf(limit, shared && clientOf(shared, world)));
  const spend: RateLimiter['spend'] = async (limit, who, requests = 1) => {
    try {
      const left = await limiters.get(limit)?.consume(who, requests);
      const remaining = left?.remainingPoints ?? 0;
      return { allowed: requests, waitSeconds: 0, remaining, resetSeconds: secondsOf(left?.msBeforeNext ?? 0) };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, secondsOf(error.msBeforeNext));
      // Who is refused from memory has nothing left, and the library says that nothing was consumed.
      const over = error.consumedPoints - limit.requests;
      const allowed = over > 0 ? Math.max(0, requests - over) : 0;
      return { allowed, waitSeconds: seconds, remaining: 0, resetSeconds: seconds };
    }
  };
  return {
    spend,
    count: async (limit, who, requests) => (await spend(limit, who, requests)).waitSeconds,
    async giveBack(limit, who) {
      await limiters.get(limit)?.reward(who);
    },
    async forgive(limit, who) {
      await limiters.get(limit)?.delete(who);
    },
  };
}

const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

function limiterOf(
  { name, requests, seconds, ...limit }: RateLimit,
  shared: ReturnType<typeof clientOf> | null,
): RateLimiterAbstract {
  const options = { keyPrefix: name, points: requests, duration: seconds, blockDuration: limit.blockSeconds ?? 0 };
  const own = new RateLimiterMemory(options);
  if (!shared) return own;
  return new RateLimiterPostgres({
    ...options,
    storeClient: shared,
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    // Clients over the limit are refused from memory until the window ends, so an attack does not reach the database.
    inMemoryBlockOnConsumed: requests + 1,
    // While the database does not answer or the clock is in doubt, each process counts in memory.
    insuranceLimiter: own,
  });
}

/** The part of a driver's client that the library uses. A window that begins by a wrong clock would last until the clock reaches it. */
function clientOf(statement: NonNullable<OpenedDatabase['statement']>, world: Pick<World, 'now' | 'doubt'>) {
  return {
    async query({ text, values }: { text: string; values: Value[] }) {
      certainTime(world);
      const rows = await statement(text, values);
      return { rows, rowCount: rows.length };
    },
  };
}

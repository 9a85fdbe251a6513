import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { type RateLimit, rateLimits } from '../../contracts/limits.js';
import type { Database, Value } from './database/database.js';

export interface RateLimiter {
  /**
   * Counts requests of `who` for a limit, one if their number is not given. All of them are counted, also when they are
   * more than the limit still allows. @returns the seconds to wait before the next attempt; 0 when they are allowed
   */
  count(limit: RateLimit, who: string, requests?: number): Promise<number>;
  /**
   * The same, where those of them that the limit still allows may proceed. @returns how many these are, and the seconds that the requests beyond them
   * have to wait
   */
  countUpTo(limit: RateLimit, who: string, requests: number): Promise<{ allowed: number; seconds: number }>;
  /** Takes back one counted request of `who`. */
  giveBack(limit: RateLimit, who: string): Promise<void>;
  /** Resets the count of `who`. */
  forgive(limit: RateLimit, who: string): Promise<void>;
}

/**
 * Counts requests in windows of a minute. A window begins with the first request of a client.
 * @param shared the database through which several processes count together; null for a store that only this process
 *   holds, which counts in memory: a statement for each request would cost the embedded database a millisecond of its one
 *   connection.
 */
export function openRateLimiter(shared: Database | null): RateLimiter {
  const limiters = new Map<RateLimit, RateLimiterAbstract>();
  for (const limit of Object.values(rateLimits)) limiters.set(limit, limiterOf(limit, shared));
  /** @returns null when all are allowed */
  async function excess(limit: RateLimit, who: string, requests: number) {
    try {
      await limiters.get(limit)?.consume(who, requests);
      return null;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      // Who is refused from memory has nothing left, and the library says that nothing was consumed.
      const over = error.consumedPoints - limit.requests;
      return { seconds, allowed: over > 0 ? Math.max(0, requests - over) : 0 };
    }
  }

  return {
    count: async (limit, who, requests = 1) => (await excess(limit, who, requests))?.seconds ?? 0,
    countUpTo: async (limit, who, requests) =>
      (await excess(limit, who, requests)) ?? { allowed: requests, seconds: 0 },
    async giveBack(limit, who) {
      await limiters.get(limit)?.reward(who);
    },
    async forgive(limit, who) {
      await limiters.get(limit)?.delete(who);
    },
  };
}

function limiterOf({ name, requests, seconds, ...limit }: RateLimit, shared: Database | null): RateLimiterAbstract {
  const options = { keyPrefix: name, points: requests, duration: seconds, blockDuration: limit.blockSeconds ?? 0 };
  const own = new RateLimiterMemory(options);
  if (!shared) return own;
  return new RateLimiterPostgres({
    ...options,
    storeClient: clientOf(shared),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    // Clients over the limit are refused from memory until the window ends, so an attack does not reach the database.
    inMemoryBlockOnConsumed: requests + 1,
    // While the database does not answer, each process counts in memory. Requests that need the database still fail.
    insuranceLimiter: own,
  });
}

/** The part of a driver's client that the library uses. */
function clientOf(database: Database) {
  return {
    query: ({ text, values }: { text: string; values: Value[] }) =>
      database.transaction(async (tx) => {
        const rows = await tx.query(text, values);
        return { rows, rowCount: rows.length };
      }),
  };
}

import { pauseAfter } from '../base/backoff.js';
import type { Database } from '../database/database.js';
import type { Growth, Ledger } from '../ledger/ledger.js';
import {
  type Behind,
  beginFollower,
  type ChainPage,
  chainsBehind,
  type Page,
  releasePositions,
} from '../ledger/positions.js';
import { advance, type Follower, type LeasedParts, positionsName } from './follow-chain.js';
import type { Job, Surroundings } from './loop.js';

export interface FollowingParts extends LeasedParts {
  readonly ledger: Pick<Ledger, 'follow'>;
  readonly log: Surroundings['log'];
}

/** Chains that are worked on at the same time. */
const chainsAtOnce = 4;
/** Chains that are looked at in one transaction. */
const pageSize = 1000;
const lookMs = 1000;
/** How long a chain waits whose step has failed: at first, and at most. Each time it is twice as long. */
const pauses = { firstMs: 1000, longestMs: 60_000 };

/**
 * Brings the effects of a follower up to date with the ledger, chain by chain. Several processes share the chains by leases. A
 * chain whose step fails waits by itself, and the other chains proceed.
 * @param wake wakes this worker
 */
export function following(parts: FollowingParts, follower: Follower, wake: () => void): Job {
  const { database, ledger, owner, log } = parts;
  const name = positionsName(follower);
  const paused = createPauses(name, log);
  const grown = createGrown();
  let isBegun = false;
  let isListening = false;

  async function listen(stopping: AbortSignal): Promise<void> {
    for await (const growth of ledger.follow(stopping)) {
      grown.add(growth);
      wake();
    }
  }

  async function visit(chain: string, stopping: AbortSignal): Promise<void> {
    try {
      if (await advance(parts, follower, chain, stopping)) grown.add(new Set([chain]));
      paused.end(chain);
    } catch (error) {
      paused.begin(chain, error);
      // Another process may be able to do it.
      await database.transaction((tx) => releasePositions(tx, name, owner, chain)).catch(() => undefined);
    }
  }

  return {
    name: `follower ${name}`,
    napMs: lookMs,
    async work(stopping) {
      if (!isBegun) await database.transaction((tx) => beginFollower(tx, name, follower.from));
      isBegun = true;
      if (!isListening) void listen(stopping);
      isListening = true;
      const taken = grown.take();
      try {
        for await (const page of pagesOf(database, name, owner, taken)) {
          const due = page.filter(({ chain }) => (follower.follows?.(chain) ?? true) && paused.isDue(chain));
          await inParallel(due, chainsAtOnce, async ({ chain }) => {
            if (!stopping.aborted) await visit(chain, stopping);
          });
        }
      } catch (error) {
        grown.add(taken);
        throw error;
      }
      return grown.isAny();
    },
    ended: () => database.transaction((tx) => releasePositions(tx, name, owner)).catch(() => undefined),
  };
}

/** The chains that have grown since they were last looked at. */
function createGrown() {
  let grown: Set<string> | 'unknown' = 'unknown';
  return {
    add(more: Growth) {
      if (more === 'unknown' || grown === 'unknown') grown = 'unknown';
      else for (const chain of more) grown.add(chain);
    },
    take(): Growth {
      const taken = grown;
      grown = new Set();
      return taken;
    },
    isAny: () => grown === 'unknown' || grown.size > 0,
  };
}

/** The chains whose last step failed. A chain leaves when a step succeeds. */
function createPauses(follower: string, log: Surroundings['log']) {
  const paused = new Map<string, { readonly until: number; readonly times: number; readonly fault: string }>();
  return {
    isDue: (chain: string) => performance.now() >= (paused.get(chain)?.until ?? 0),
    begin(chain: string, error: unknown) {
      const before = paused.get(chain);
      const earlier = before?.times ?? 0;
      const fault = String(error);
      paused.set(chain, { until: performance.now() + pauseAfter(pauses, earlier), times: earlier + 1, fault });
      if (fault !== before?.fault) log.error({ follower, chain, err: error }, 'a chain cannot be followed');
    },
    end(chain: string) {
      if (paused.delete(chain)) log.info({ follower, chain }, 'the chain is followed again');
    },
  };
}

/** The chains that are behind and not in the hands of another process, a page at a time. */
async function* pagesOf(
  database: Database,
  name: string,
  owner: string,
  grown: Growth,
): AsyncGenerator<readonly Behind[]> {
  const among = grown === 'unknown' ? null : [...grown];
  if (among?.length === 0) return;
  let after: string | null = null;
  do {
    const bounds: ChainPage = { among, after, limit: pageSize };
    const { behind, last }: Page = await database.read((tx) => chainsBehind(tx, name, owner, bounds));
    yield behind;
    after = last;
  } while (after !== null);
}

async function inParallel<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const workers = Array.from({ length: atOnce }, async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  });
  await Promise.all(workers);
}

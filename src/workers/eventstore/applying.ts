import { pauseAfter } from '../../base/backoff.js';
import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import type { CatchUpParts } from '../../ledger/eventstore/catch-up.js';
import { type FollowOptions, followStreams } from '../../ledger/eventstore/follow-streams.js';
import { createLease } from '../lease.js';
import type { Job } from '../loop.js';

const leaseMs = 30_000;
/** The pause before the streams are followed again after a fault: at first, and at most. Each time it is twice as long. */
const pauses = { firstMs: 250, longestMs: 10_000 };

export interface ApplyingParts {
  readonly database: Database;
  readonly owner: string;
  readonly world: Pick<World, 'sleep'>;
  readonly streams: CatchUpParts;
  onFault(faults: ReadonlyMap<string, unknown>): void;
  readonly onHalt: FollowOptions['onHalt'];
}

/** Brings the tables up to date with the streams of EventStoreDB, in one process at a time. */
export function applyingStreams({ database, owner, world, streams, onFault, onHalt }: ApplyingParts): Job {
  const lease = createLease(database, 'streams of the ledger', owner, leaseMs);
  let faults = 0;
  return {
    name: 'follower of EventStoreDB',
    napMs: 1000,
    pauseMs: 0,
    lease,
    async work(signal) {
      if (!(await lease.take())) return false;
      const begunAt = performance.now();
      try {
        await followStreams(streams, { signal, keep: lease.keep, onFault, onHalt });
        return false;
      } catch (error) {
        const lasted = performance.now() - begunAt > pauses.longestMs;
        faults = lasted ? 0 : faults + 1;
        await world.sleep(pauseAfter(pauses, faults), signal);
        throw error;
      }
    },
  };
}

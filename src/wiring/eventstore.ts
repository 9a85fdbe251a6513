import type { Logger } from 'pino';
import { logChain } from '../../contracts/chains.js';
import type { Database } from '../adapters/database/database.js';
import type { EngineHealth } from '../adapters/metrics.js';
import type { CatchUpParts } from '../ledger/eventstore/catch-up.js';
import { streamOf } from '../ledger/eventstore/events.js';
import { pendingAge } from '../ledger/eventstore/pending.js';
import { alertSeconds } from '../ledger/eventstore/sweep.js';
import { roles } from '../roles.js';
import { applyingStreams } from '../workers/applying-streams.js';
import { createWorker } from '../workers/loop.js';
import type { World } from '../world.js';
import type { Engine } from './engines.js';

interface EventStoreParts {
  readonly background: Database;
  readonly world: World;
  readonly log: Logger;
  /** See `createLease`. */
  readonly owner: string;
  readonly streams: CatchUpParts | null;
  closeLedger(): Promise<void>;
}

/** EventStoreDB as an engine of the ledger; none while the database holds it. */
export function wireEventStore({ background, world, log, owner, streams, closeLedger }: EventStoreParts): Engine[] {
  if (streams === null) return [];
  let faults: ReadonlyMap<string, unknown> = new Map();
  const job = applyingStreams({
    database: background,
    owner,
    world,
    streams: { ...streams, database: background },
    onFault(found) {
      for (const [chain, err] of found) {
        if (!faults.has(chain)) log.error({ chain, err }, 'the stream of a chain cannot be applied');
      }
      faults = found;
    },
  });
  const worker = createWorker({ world, log }, job);
  const alert = createAlert(log);
  return [
    {
      // Only one process holds its lease, and each of them may be that one.
      workers: roles.map((role) => [role, worker] as const),
      async health() {
        const pending = await background.read(pendingAge).catch(() => ({ count: 0, seconds: 0 }));
        return {
          engine: 'eventstore',
          isUp: streams.streams.isUp(),
          problems: [...alert(pending), ...[...faults].map(([chain, fault]) => `chain ${chain}: ${fault}`)],
          lags: new Map([
            ['eventstore', { entries: faults.size, seconds: 0 }],
            ['eventstore-staged', { entries: pending.count, seconds: pending.seconds }],
          ]),
        } satisfies EngineHealth;
      },
      close: closeLedger,
    },
  ];
}

/** A sentence while an append was staged too long ago, which is logged when it begins. */
function createAlert(log: Logger) {
  let isAlerted = false;
  return ({ count, seconds }: { count: number; seconds: number }): readonly string[] => {
    const isOld = seconds > alertSeconds;
    if (isOld && !isAlerted) log.error({ staged: count, seconds }, 'an append was staged a day ago and is in doubt');
    isAlerted = isOld;
    if (!isOld) return [];
    const hours = Math.floor(seconds / 3600);
    return [`an append to EventStoreDB was staged ${hours} hours ago and is in doubt until its chain is written to`];
  };
}

/** Whether the ledger answers. The database's own ledger answers with the database. */
export function ledgerAnswers(streams: CatchUpParts | null): () => Promise<unknown> {
  if (streams === null) return async () => undefined;
  return () => streams.streams.read(streamOf(streams.prefix, logChain), 0, 1);
}

import type { Logger } from 'pino';
import { logChain } from '../../contracts/chains.js';
import type { EngineHealth } from '../adapters/metrics.js';
import type { LedgerReadiness } from '../api/service/readiness.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { CatchUpParts } from '../ledger/eventstore/catch-up.js';
import { streamOf } from '../ledger/eventstore/events.js';
import { countHalts, type Halt, readHalts } from '../ledger/eventstore/halts.js';
import { pendingAge } from '../ledger/eventstore/pending.js';
import { StreamDeleted, StreamsRefused } from '../ledger/eventstore/streams.js';
import { alertSeconds } from '../ledger/eventstore/sweep.js';
import { roles } from '../settings/roles.js';
import { applyingStreams } from '../workers/applying-streams.js';
import { createWorker } from '../workers/loop.js';
import type { Engine } from './engines.js';

/** How many halted chains are named. */
const shownHalts = 20;

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
    onHalt(chain, halt) {
      if (halt) log.error({ chain, reason: halt.reason }, 'a chain takes no appends until its stream is repaired');
      else log.info({ chain }, 'a chain takes appends again');
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
        const halts = await background.read((tx) => readHalts(tx, shownHalts)).catch(() => []);
        const haltedChains = await background.read(countHalts).catch(() => new Map());
        return {
          engine: 'eventstore',
          isUp: streams.streams.isUp(),
          haltedChains,
          problems: [
            ...halts.filter(({ kind }) => kind === 'removal').map(warningOf),
            ...alert(pending),
            ...[...faults].map(([chain, fault]) => `chain ${chain}: ${fault}`),
          ],
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

const warningOf = ({ chain, reason }: Halt): string => `${reason} Until then nothing is written in workspace ${chain}.`;

/** Whether the ledger answers, and what is missing when it does not. The database's own ledger answers with the database. */
export function ledgerReadiness(streams: CatchUpParts | null): LedgerReadiness {
  if (streams === null) return { ask: async () => undefined, faultOf: () => 'the ledger does not answer' };
  return {
    async ask() {
      const halts = await streams.database.read((tx) => readHalts(tx, shownHalts)).catch(() => []);
      const [lost] = halts.filter(({ kind }) => kind === 'lost');
      if (lost) throw new LostStream(lost.reason);
      await streams.streams.read(streamOf(streams.prefix, logChain), 0, 1);
    },
    faultOf(error) {
      if (error instanceof LostStream || error instanceof StreamDeleted) return error.message;
      if (error instanceof StreamsRefused)
        return 'EventStoreDB refuses the credentials of EVENTSTORE_URL, or their rights';
      return 'the ledger does not answer';
    },
  };
}

/** A stream does not have what the tables have: the ledger is another one, or older. The message is a sentence. */
class LostStream extends Error {
  override name = 'LostStream';
}

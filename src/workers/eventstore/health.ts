import type { Logger } from 'pino';
import { logChain } from '../../../contracts/chains.js';
import type { EngineHealth } from '../../adapters/gauges/engines.js';
import type { Database } from '../../database/database.js';
import type { CatchUpParts } from '../../ledger/eventstore/catch-up.js';
import { streamOf } from '../../ledger/eventstore/events.js';
import { countHalts, type Halt, readHalts } from '../../ledger/eventstore/halts.js';
import { pendingAge } from '../../ledger/eventstore/pending.js';
import { StreamDeleted, StreamsRefused } from '../../ledger/eventstore/streams.js';
import { alertSeconds } from '../../ledger/eventstore/sweep.js';
import type { ApplyingParts } from './applying.js';

/** How many halted chains are named. */
const shownHalts = 20;

interface Parts {
  readonly database: Database;
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly streams: CatchUpParts;
}

/** The health, and the reports of the follower of the streams that are part of it. */
interface EventStoreHealth extends Pick<ApplyingParts, 'onFault' | 'onHalt'> {
  health(): Promise<EngineHealth>;
}

/** The state of EventStoreDB, for metrics and readiness: what its follower reports here, and what the database has of it. */
export function createEventStoreHealth({ database, log, streams: { streams } }: Parts): EventStoreHealth {
  let faults: ReadonlyMap<string, unknown> = new Map();
  const alert = createAlert(log);
  return {
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
    async health() {
      const pending = await database.read(pendingAge).catch(() => ({ count: 0, seconds: 0 }));
      const halts = await database.read((tx) => readHalts(tx, shownHalts)).catch(() => []);
      const haltedChains = await database.read(countHalts).catch(() => new Map());
      return {
        engine: 'eventstore',
        isUp: streams.isUp(),
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
      };
    },
  };
}

/** A sentence while an append was staged too long ago, which is logged when it begins. */
function createAlert(log: Pick<Logger, 'error'>) {
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
export function ledgerReadiness(streams: CatchUpParts | null) {
  if (streams === null) return { ask: async () => undefined, faultOf: () => 'the ledger does not answer' };
  return {
    async ask() {
      const halts = await streams.database.read((tx) => readHalts(tx, shownHalts)).catch(() => []);
      const [lost] = halts.filter(({ kind }) => kind === 'lost');
      if (lost) throw new LostStream(lost.reason);
      await streams.streams.read(streamOf(streams.prefix, logChain), 0, 1);
    },
    faultOf(error: unknown) {
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

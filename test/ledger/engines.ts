import { project } from '../../projections/all.js';
import type { Database } from '../../src/database/database.js';
import { databaseLedger } from '../../src/ledger/engines/database.js';
import { eventStoreLedger } from '../../src/ledger/engines/eventstore.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { memoryEngine, newStreams } from './memory-engine.js';

/** The ledger as one process opens it on a database. */
export type OpenLedger = (database: Database) => Ledger;

/** As a service opens it on a store of the kind that this run is for. */
export const ledgerOfStore: OpenLedger = (database) => databaseLedger(database, project);

/** The same without its queue, so that a batch is decided before the append and may lose a race, as with engines elsewhere. */
export function ledgerWithoutQueue(database: Database): Ledger {
  const { appendInQueue: _, ...ledger } = ledgerOfStore(database);
  return ledger;
}

export interface Engine {
  readonly name: string;
  /** Whether an append may be committed and not yet applied. */
  readonly elsewhere: boolean;
  /** Whether its appends go through a network. Each takes longer, so a short run tries fewer of its faults. */
  readonly isRemote?: boolean;
  /** An empty ledger for a new store; each call of what it returns is another process. */
  create(): Promise<OpenLedger> | OpenLedger;
}

/** Every engine passes the contract suite and the fault suite. */
export const engines: readonly Engine[] = [
  { name: 'the database', elsewhere: false, create: () => ledgerOfStore },
  { name: 'the database without its queue', elsewhere: false, create: () => ledgerWithoutQueue },
  {
    name: 'an engine elsewhere',
    elsewhere: true,
    create() {
      const streams = newStreams();
      return (database) => memoryEngine(database, project, streams);
    },
  },
  {
    name: 'EventStoreDB protocol',
    elsewhere: true,
    isRemote: true,
    async create() {
      // The package takes a while to load.
      const { startEventStore } = await import('../support/eventstore-server/server.js');
      const { openStreams } = await import('../../src/adapters/eventstore/streams.js');
      // It ends with the process of the tests, and so do the connections of the processes that it stands for.
      const { url } = await startEventStore();
      return (database) => eventStoreLedger({ database, project, streams: openStreams(url), prefix: 'counterfoil' });
    },
  },
];

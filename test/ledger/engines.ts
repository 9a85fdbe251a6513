import { project } from '../../projections/all.js';
import type { Database } from '../../src/adapters/database/database.js';
import { databaseLedger } from '../../src/ledger/engines/database.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { memoryEngine, newStreams } from './memory-engine.js';

/** The ledger as one process opens it on a database. */
export type OpenLedger = (database: Database) => Ledger;

export interface Engine {
  readonly name: string;
  /** Whether an append may be committed and not yet applied. */
  readonly elsewhere: boolean;
  /** An empty ledger for a new store; each call of what it returns is another process. */
  create(): OpenLedger;
}

/** Every engine passes the contract suite and the fault suite. */
export const engines: readonly Engine[] = [
  { name: 'the database', elsewhere: false, create: () => (database) => databaseLedger(database, project) },
  {
    name: 'an engine elsewhere',
    elsewhere: true,
    create() {
      const streams = newStreams();
      return (database) => memoryEngine(database, project, streams);
    },
  },
];

import { project } from '../../../projections/all.js';
import type { World } from '../../base/world.js';
import { createRun, type Run } from '../../commands/run.js';
import { stateLoader } from '../../commands/state/state.js';
import type { Database } from '../../database/database.js';
import type { Project } from '../../ledger/apply.js';
import { databaseLedger } from '../../ledger/engines/database.js';
import { eventStoreLedger } from '../../ledger/engines/eventstore.js';
import type { CatchUpParts } from '../../ledger/eventstore/catch-up.js';
import { requireDatabaseHome, requireStreamHome } from '../../ledger/eventstore/require-home.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type LedgerLog, type ReportedLedger, reportedLedger } from '../../ledger/reported.js';
import type { Config } from '../../settings/config.js';

/** The chains of workspaces, and the one way to write to them. */
export interface OpenedLedger extends Pick<ReportedLedger, 'appends' | 'appended'> {
  readonly ledger: Ledger;
  readonly run: Run;
  /** The streams that hold the chains; null when the database holds them. */
  readonly streams: CatchUpParts | null;
  /**
   * Makes sure that this ledger is the one of the store, and brings the tables up to date with it. Everything that writes to the ledger
   * comes after it.
   * @throws WrongLedger
   */
  requireHome(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The ledger that the settings name.
 * @param following of the projection, for a ledger in the database
 * @throws WrongSetting
 */
export async function openLedger(
  { eventStore }: Pick<Config, 'eventStore'>,
  database: Database,
  world: World,
  log: LedgerLog,
  following: (project: Project) => Project = (same) => same,
): Promise<OpenedLedger> {
  const withRun = (engine: Ledger) => {
    const { ledger, ...counted } = reportedLedger(engine, log);
    return { ledger, ...counted, run: createRun(ledger, stateLoader(database, world.now), world) };
  };
  if (eventStore === undefined) {
    return {
      ...withRun(databaseLedger(database, following(project))),
      streams: null,
      requireHome: () => requireDatabaseHome(database),
      close: async () => undefined,
    };
  }
  // The client takes a while to load, and most services do without it.
  const { openStreams } = await import('../../adapters/eventstore/streams.js');
  const streams = { database, project, streams: openStreams(eventStore.url), prefix: eventStore.prefix };
  return {
    ...withRun(eventStoreLedger(streams)),
    streams,
    requireHome: () => requireStreamHome(streams),
    close: streams.streams.close,
  };
}

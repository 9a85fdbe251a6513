import { jobsBacklog } from '../../projections/ingest/backlog.js';
import { rebuildLeft } from '../../projections/search/queries.js';
import { deliveriesBacklog } from '../../projections/webhooks/backlog.js';
import { certificatesOf } from '../adapters/certificates.js';
import type { Counts } from '../adapters/gauges/counts.js';
import type { ProcessHealth } from '../adapters/gauges/process.js';
import { createMetrics, type Measured } from '../adapters/metrics.js';
import { createServiceState } from '../adapters/service-state.js';
import { createReadiness } from '../api/service/readiness.js';
import { packageVersion } from '../base/version.js';
import type { World } from '../base/world.js';
import type { Vault } from '../commands/vault.js';
import type { Database, OpenedDatabase, Transaction } from '../database/database.js';
import { freeBytes } from '../database/disk-space.js';
import { engineVersion } from '../database/engine-version.js';
import type { Config } from '../settings/config.js';
import { ledgerReadiness } from '../workers/eventstore/health.js';
import { leasesLeft } from '../workers/lease.js';
import type { OpenedLedger } from './start/ledger.js';

interface Core extends Pick<OpenedLedger, 'appends' | 'appended' | 'streams'> {
  readonly world: World;
  readonly database: Database;
  readonly vault: Pick<Vault, 'altered'>;
  readonly pools: OpenedDatabase['pools'];
  readonly clock: { readonly health: Measured['clockHealth'] };
}

/** The sources that other parts of the wiring have made. */
interface Sources extends Pick<Measured, 'logHealth' | 'feedHealth' | 'engineHealth' | 'roleHealth' | 'openStreams'> {
  readonly counts: Pick<Counts, 'deliveries' | 'spansWithoutOperation'>;
  readonly workers: ProcessHealth['workers'];
  readonly running: { readonly isStopping: boolean };
}

/** Readiness, metrics and the state for operators. */
export function wireMeasuring(config: Config, core: Core, { counts, workers, running, ...sources }: Sources) {
  const { world, database, appends, appended, vault, pools, streams } = core;
  const { read, transaction } = database;
  const searchLeft = () => read(rebuildLeft);
  const { observe, ...health } = createMetrics({
    ...sources,
    searchLeft,
    clockHealth: core.clock.health,
    counts: { ...counts, appends, appended, altered: vault.altered },
    backlog: () => read(backlogOf),
    databaseAnswers: () => read((tx) => tx.query('select 1')),
    freeSpace: () => freeBytes(config.dataDir),
    process: {
      pools,
      workers,
      certificates: certificatesOf(config),
      build: { version: packageVersion(), node: process.version },
      now: world.now,
    },
  });
  const state = createServiceState({ ...sources, searchLeft, databaseVersion: () => read(engineVersion) });
  const missing = createReadiness(transaction, ledgerReadiness(streams), world.doubt, running);
  return { observe, health: { ...health, missing, state } };
}

async function backlogOf(tx: Transaction): ReturnType<Measured['backlog']> {
  const [jobs, deliveries, leases] = await Promise.all([jobsBacklog(tx), deliveriesBacklog(tx), leasesLeft(tx)]);
  return { jobs, deliveries, leases };
}

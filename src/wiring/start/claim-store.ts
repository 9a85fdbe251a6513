import { releaseAllJobs } from '../../../projections/ingest/jobs.js';
import { releaseAllDeliveries } from '../../../projections/webhooks/deliveries.js';
import type { Database } from '../../database/database.js';
import type { Config } from '../../settings/config.js';
import { refusalToSign, requireBegun } from '../../tlog/refusal.js';
import type { KeyStore } from '../../tlog/signer.js';

/**
 * The store is this process's to work on, unless its signing keys cannot be used or are of another log: asked before anything
 * is written, because a leaf of a wrong key could never be taken back.
 * @throws RefusesToSign
 */
export async function claimStore({ databaseUrl }: Config, keys: KeyStore, database: Database): Promise<void> {
  const refusal = await refusalToSign({ database, keys });
  if (refusal?.reason === 'wrong keys' || refusal?.reason === 'keys unusable') throw refusal;
  await requireBegun(database);
  if (!databaseUrl) await releaseLeases(database);
}

/** The embedded store admits one process, so leases that are held when it starts were held by a process that is gone. */
const releaseLeases = (database: Database): Promise<unknown> =>
  database.transaction((tx) => Promise.all([releaseAllJobs(tx), releaseAllDeliveries(tx)]));

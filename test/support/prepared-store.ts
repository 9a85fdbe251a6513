import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeStoreTemplate, makeTables, tablesFingerprint } from '../../src/maintenance/store-template.js';
import { databaseOn, freshDatabase, onMaintenanceDatabase } from './fresh-database.js';
import { quickDirectory } from './memory-disk.js';

/** Puts the files of an embedded store that has its tables into a directory. */
export async function preparedDirectory(directory: string): Promise<void> {
  // Node's own copy takes twice the processor time for a thousand files.
  execFileSync('cp', ['-Rp', await makeStoreTemplate(), join(directory, 'pgdata')]);
}

/** The directory of an embedded store that a test needs until it ends, with its tables and nothing in them. */
export async function quickStore(): Promise<string> {
  const directory = quickDirectory();
  await preparedDirectory(directory);
  return directory;
}

/** The address of a new database with its tables, on the server that DATABASE_URL names. */
export async function preparedDatabase(): Promise<string> {
  const template = `test_template_${tablesFingerprint()}`;
  await onMaintenanceDatabase(async (query) => {
    // Two files of tests may need it at the same time.
    await query(`select pg_advisory_lock(hashtext('${template}'))`);
    const made = await query(`select 1 from pg_database where datname = '${template}'`);
    if (made.length > 0) return;
    const fresh = await freshDatabase();
    await makeTables({ kind: 'server', url: fresh });
    await query(`alter database ${databaseOn(fresh)} rename to ${template}`);
  });
  return freshDatabase(template);
}

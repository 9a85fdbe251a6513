import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { openEmbedder } from '../adapters/embeddings/open.js';
import type { Database } from '../database/database.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open.js';
import { beginCopy } from '../database/unfinished-copy.js';
import { analyzeStore, copyStore, requireEmpty } from '../maintenance/copy-store.js';
import type { OnLabelledProgress } from '../maintenance/fsck.js';
import { prepareModels } from '../maintenance/prepare-models.js';
import { rebuildables } from '../maintenance/rebuildable.js';
import type { Config } from '../settings/config.js';
import { databaseUrl } from '../settings/values.js';
import { showProgress } from './progress.js';
import { readSettings } from './settings.js';
import { CannotStart, explained } from './start-faults.js';
import { terminal } from './terminal.js';

/**
 * Copies the embedded store of the settings into an empty PostgreSQL database. The exit code is 0, or 2 when it cannot
 * run; then the database stays empty. The embedded store is not changed.
 */
export async function migrateStore(to: string | undefined): Promise<void> {
  const progress = showProgress();
  try {
    const target = addressOf(to ?? process.env.COUNTERFOIL_MIGRATE_TO ?? '');
    const text = await migrateTo(readSettings(), target, progress.report);
    progress.stop();
    terminal.out(text);
  } catch (error) {
    progress.stop();
    terminal.err(`counterfoil: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}

function addressOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new CannotStart(
      'Give the address of the new database, postgres://…, with --to or in COUNTERFOIL_MIGRATE_TO.',
    );
  }
  const checked = databaseUrl.safeParse(url);
  if (checked.success) return url;
  throw new CannotStart(`The address of the new database ${checked.error.issues[0]?.message}.`);
}

async function migrateTo(config: Config, url: string, onProgress: OnLabelledProgress): Promise<string> {
  const { dataDir } = config;
  if (config.databaseUrl !== undefined) {
    throw new CannotStart(
      'DATABASE_URL is set, so the store is on a server already. Unset it to move an embedded one.',
    );
  }
  if (!existsSync(join(dataDir, 'pgdata'))) throw new CannotStart(`There is no store in ${dataDir}.`);
  const target = { ...config, databaseUrl: url };
  const to = await explained(target, '--to', () => openDatabase({ kind: 'server', url }));
  return closing(to, async () => {
    await requireEmpty(to);
    // The source is opened before the target gets its tables, so that nothing is done if the store is in use or cannot
    // be opened.
    const from = await explained(config, 'DATA_DIR', () => openDatabase({ kind: 'embedded', dataDir }));
    return closing(from, async () => {
      // The lock makes a service wait that starts on the target meanwhile.
      const rows = await to.alone(async () => {
        await to.transaction(beginCopy);
        await explained(target, '--to', () => migrate(to));
        await prepareModels(to, rebuildables(openEmbedder(config.embeddings)), pino({ level: 'silent' }));
        return copyStore(from, to, (done, total) => onProgress('copy', done, total));
      });
      await analyzeStore(to);
      return report(rows, dataDir);
    });
  });
}

async function closing<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await database.close();
  }
}

const report = (rows: number, dataDir: string): string =>
  [
    `${rows} rows were copied. The store in ${dataDir} is as it was.`,
    `Set DATABASE_URL to the new database, run counterfoil fsck, and start the service with the same BASE_URL.`,
    `The keys that sign the public log stay in ${join(dataDir, 'keys')}: keep DATA_DIR, or move that directory too.`,
    `Then move ${join(dataDir, 'pgdata')} away, so that a start without DATABASE_URL does not continue with the old store.`,
  ].join('\n');

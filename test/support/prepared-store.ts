import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import pino from 'pino';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { packageRoot } from '../../src/base/package-root.js';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase, type Store } from '../../src/database/open.js';
import { prepareModels } from '../../src/maintenance/prepare-models.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { databaseOn, freshDatabase, onMaintenanceDatabase } from './fresh-database.js';
import { quickDirectory } from './memory-disk.js';

/**
 * Stores with their tables, made once and then copied: a start on one takes half as long as one that makes its tables. A
 * template's name has a hash of what makes the tables, so that a change of them never meets an old template.
 */
const makers = ['contracts', 'ops/migrations', 'projections', 'src/database', 'src/maintenance'];

let known: string | undefined;

function fingerprint(): string {
  known ??= makers
    .flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort(),
    )
    .concat(join(packageRoot, 'test/support/prepared-store.ts'))
    .reduce((hash, file) => hash.update(`${file}\n`).update(readFileSync(file)), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);
  return known;
}

async function makeTables(store: Store): Promise<void> {
  const database = await openDatabase(store);
  try {
    await migrate(database);
    await prepareModels(database, rebuildables(lexicalEmbedder()), pino({ level: 'silent' }));
  } finally {
    await database.close();
  }
}

/**
 * Removes what no test needs of an embedded store, which leaves half of its files: the databases that PostgreSQL copies when
 * it makes another one, and the log of how the tables were made.
 */
async function shrink(dataDir: string): Promise<void> {
  const database = await PGlite.create({
    dataDir: join(dataDir, 'pgdata'),
    extensions: { vector },
    startParams: [...PGlite.defaultStartParams, '-c', 'wal_recycle=off', '-c', 'min_wal_size=32MB'],
  });
  try {
    await database.exec('update pg_database set datistemplate = false');
    for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`);
    await database.exec('select pg_switch_wal(); checkpoint');
  } finally {
    await database.close();
  }
  const log = join(dataDir, 'pgdata', 'pg_wal');
  for (const { name } of readdirSync(log, { withFileTypes: true }).filter((entry) => entry.isFile()))
    emptyEnd(join(log, name));
}

/** Makes the zeros at the end of a file a hole, which a copy of the file has too. */
function emptyEnd(file: string): void {
  const content = readFileSync(file);
  const last = content.findLastIndex((byte) => byte !== 0);
  truncateSync(file, last + 1);
  truncateSync(file, content.length);
}

/** Puts the files of an embedded store that has its tables into a directory. */
export async function preparedDirectory(directory: string): Promise<void> {
  const templates = join(packageRoot, 'dist/test-stores');
  const template = join(templates, fingerprint());
  if (!existsSync(template)) {
    const partial = join(packageRoot, `dist/test-store-${process.pid}`);
    try {
      await makeTables({ kind: 'embedded', dataDir: partial });
      await shrink(partial);
      mkdirSync(templates, { recursive: true });
      renameSync(partial, template);
    } catch (error) {
      // Another file of tests may have made the same one at the same time.
      if (!existsSync(template)) throw error;
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    for (const name of readdirSync(templates)) {
      if (name !== fingerprint()) rmSync(join(templates, name), { recursive: true, force: true });
    }
  }
  // Node's own copy takes twice the processor time for a thousand files.
  execFileSync('cp', ['-Rp', join(template, 'pgdata'), join(directory, 'pgdata')]);
}

/** The directory of an embedded store that a test needs until it ends, with its tables and nothing in them. */
export async function quickStore(): Promise<string> {
  const directory = quickDirectory();
  await preparedDirectory(directory);
  return directory;
}

/** The address of a new database with its tables, on the server that DATABASE_URL names. */
export async function preparedDatabase(): Promise<string> {
  const template = `test_template_${fingerprint()}`;
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

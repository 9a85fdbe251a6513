import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { projections } from '../../projections/all.js';
import { lexicalEmbedder } from '../adapters/embeddings/lexical.js';
import { packageRoot } from '../base/package-root.js';
import { migrate, readMigrations } from '../database/migrate.js';
import { openDatabase, type Store } from '../database/open.js';
import { forEveryReader, pgliteVersion, placeCopy, placeTemplate } from '../database/template.js';
import { prepareModels } from './prepare-models.js';
import { rebuildables } from './rebuildable.js';

/**
 * A cluster with all tables and no rows of anybody, which the build makes and each new embedded store copies: making the tables takes
 * 1.3 s of processor time at the first start. Its name has a hash of what makes the tables, so that no other version copies it.
 */
const prefix = 'store-';

/**
 * Changes when a migration, the tables of a read model, or the version of either or of the database changes. It does not change with the
 * functions that make the template: after a change of those, the template in `dist` must be removed by hand.
 */
export function tablesFingerprint(): string {
  const made = [
    pgliteVersion(),
    readMigrations().map(({ name, checksum }) => [name, checksum]),
    projections.map(({ name, version, ddl, indexes = '' }) => [name, version, ddl, indexes]),
  ];
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
}

/** Where the template of this version lies. It may not exist: see `makeStoreTemplate`. */
const storeTemplate = () => join(packageRoot, 'dist', `${prefix}${tablesFingerprint()}`);

/** Creates a new store's cluster at `directory`, with its tables where the build has made the template of this version. */
export function placeStore(directory: string): void {
  const template = storeTemplate();
  if (existsSync(template)) placeCopy(template, directory);
  else placeTemplate(directory);
}

/**
 * Makes the template that this version copies, unless it exists, and removes those of others. Several processes may do it at once.
 * @returns its directory
 */
export async function makeStoreTemplate(): Promise<string> {
  const template = storeTemplate();
  if (existsSync(template)) return template;
  const dist = join(packageRoot, 'dist');
  const dataDir = mkdtempSync(join(dist, 'making-store-'));
  try {
    await makeTables({ kind: 'embedded', dataDir });
    await shrink(join(dataDir, 'pgdata'));
    forEveryReader(join(dataDir, 'pgdata'));
    renameSync(join(dataDir, 'pgdata'), template);
  } catch (error) {
    // Another process may have made the same one at the same time.
    if (!existsSync(template)) throw error;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  for (const name of readdirSync(dist)) {
    if (name.startsWith(prefix) && join(dist, name) !== template)
      rmSync(join(dist, name), { recursive: true, force: true });
  }
  return template;
}

/** Gives a store that has none of its tables all of them. */
export async function makeTables(store: Store): Promise<void> {
  const database = await openDatabase(store);
  try {
    await migrate(database);
    await prepareModels(database, rebuildables(lexicalEmbedder()), pino({ level: 'silent' }));
  } finally {
    await database.close();
  }
}

/**
 * Removes what no store needs, which leaves half of the files: the databases that PostgreSQL copies when it makes another one, and the
 * log of how the tables were made.
 */
async function shrink(cluster: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite');
  const { vector } = await import('@electric-sql/pglite-pgvector');
  const database = await PGlite.create({
    dataDir: cluster,
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
  const log = join(cluster, 'pg_wal');
  for (const { name } of readdirSync(log, { withFileTypes: true }).filter((entry) => entry.isFile()))
    emptyEnd(join(log, name));
}

/** Makes the zeros at the end of a file a hole, so that the file takes less of the disk. */
function emptyEnd(file: string): void {
  const content = readFileSync(file);
  const last = content.findLastIndex((byte) => byte !== 0);
  truncateSync(file, last + 1);
  truncateSync(file, content.length);
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../base/package-root.js';
import type { Database, Row, Transaction } from './database.js';

export class MigrationError extends Error {
  override name = 'MigrationError';
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The migrations of this version. */
const ownMigrations = join(packageRoot, 'ops/migrations');

/** The advisory lock for processes that start at the same time on one server. The number has no other meaning. */
const migrationLock = 4_201_701;

/**
 * Applies the numbered files of ops/migrations that the database does not have yet, each in its own transaction.
 * @throws MigrationError when an applied file has been edited, or the database has been used by a newer version
 */
export async function migrate(database: Database, directory = ownMigrations): Promise<void> {
  await database.transaction((tx) =>
    tx.query('create table if not exists migrations (name text primary key, checksum text not null)'),
  );
  for (const migration of await pendingMigrations(database, directory)) {
    await database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
      // Another process may have applied it meanwhile.
      const [known] = await tx.query<{ checksum: string }>('select checksum from migrations where name = $1', [
        migration.name,
      ]);
      if (known?.checksum === migration.checksum) return;
      if (known) throw new MigrationError(editedLater(migration.name));
      for (const statement of statements(migration.sql)) await tx.query(statement);
      await tx.query('insert into migrations values ($1, $2)', [migration.name, migration.checksum]);
    });
  }
}

/**
 * The migrations of this version that the database does not have yet. Nothing is applied.
 * @throws MigrationError as `migrate` does
 */
export async function pendingMigrations(
  database: Pick<Database, 'read'>,
  directory = ownMigrations,
): Promise<readonly Migration[]> {
  const migrations = readMigrations(directory);
  const applied = await database.read(appliedMigrations);
  const edited = migrations.find(({ name, checksum }) =>
    applied.some((one) => one.name === name && one.checksum !== checksum),
  );
  if (edited) throw new MigrationError(editedLater(edited.name));
  requireKnown(applied, migrations);
  return migrations.filter(({ name }) => !applied.some((one) => one.name === name));
}

function requireKnown(applied: readonly Row[], migrations: readonly Migration[]): void {
  const unknown = applied.find(({ name }) => !migrations.some((migration) => migration.name === name));
  if (!unknown) return;
  throw new MigrationError(
    `The database has ${unknown.name}, which this version does not know. Start the newer version.`,
  );
}

const editedLater = (name: string): string => `${name} was edited after it had been applied. Add a new file instead.`;

/** The numbered files of a directory, in their order. */
export function readMigrations(directory = ownMigrations): readonly Migration[] {
  const names = readdirSync(directory).filter((name) => /^\d{4}_\w+\.sql$/.test(name));
  return names.sort().map((name) => {
    const sql = readFileSync(join(directory, name), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/**
 * Splits a file into statements, because a query with a list of parameters may hold only one. Files have no function
 * bodies with `;`.
 */
export function statements(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The migrations that were applied, with the checksum of each. */
export function appliedMigrations(tx: Transaction): Promise<Row[]> {
  return tx.query('select name, checksum from migrations order by name');
}

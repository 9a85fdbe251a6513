import type { Database, Transaction } from '../database/database.js';
import { statements } from '../database/migrate.js';
import type { Rebuildable } from './rebuildable.js';
import type { OnProgress } from './rebuilt-copy.js';

/** This is below PostgreSQL's deadlock_timeout of 1 s, so that in a deadlock it is always the replay that gives way. */
const lockWait = '500ms';
const lockTries = 60;

/**
 * Rebuilds one read model while the service answers and writes continue: its tables are built in the schema
 * `rebuild_<name>` and replace the old tables in one transaction at the end. Until that commits, readers see the old rows. A
 * crash before that leaves the old rows unchanged, and a schema that the next replay drops.
 * @throws when an entry is missing or the read model refuses one; then nothing has changed
 */
export async function rebuild(
  database: Database,
  { name, version, tables, build }: Rebuildable,
  { onProgress }: { onProgress: OnProgress },
): Promise<void> {
  const copy = await build(database, `rebuild_${name}`, onProgress);
  try {
    await copy.level(async (tx) => {
      const old = await existing(tx, copy.live, tables);
      if (old.length > 0) await lockAlone(tx, old);
      for (const table of old) await tx.query(`drop table ${table}`);
      for (const table of tables) await tx.query(`alter table ${copy.shadow}.${table} set schema ${copy.live}`);
      await tx.query(`drop schema ${copy.shadow} cascade`);
      await noteVersion(tx, name, version);
    });
  } catch (error) {
    await copy.drop().catch(() => undefined);
    throw error;
  }
  // The new tables have no statistics, and no page is marked as visited by a vacuum, so a later vacuum would read all pages.
  for (const table of tables) await database.maintain(`vacuum (analyze, truncate off) ${copy.live}.${table}`);
}

/**
 * Exchanges the tables of a read model for empty ones of this version in one transaction, in which it is also noted what must be
 * added to them. Then they can be filled while the service answers.
 * @returns the number of things that must be added
 */
export function beginRebuildLater(
  database: Database,
  { name, version, tables, ddl }: Rebuildable,
  fillLater: (tx: Transaction) => Promise<number>,
): Promise<number> {
  return database.transaction(async (tx) => {
    const [where] = await tx.query<{ live: string }>('select quote_ident(current_schema()) as live');
    const old = where ? await existing(tx, where.live, tables) : [];
    if (old.length > 0) await lockAlone(tx, old);
    for (const table of old) await tx.query(`drop table ${table}`);
    for (const statement of statements(ddl)) await tx.query(statement);
    const left = await fillLater(tx);
    await noteVersion(tx, name, version);
    return left;
  });
}

const noteVersion = (tx: Transaction, name: string, version: number) =>
  tx.query(`insert into projections values ($1, $2) on conflict (name) do update set version = excluded.version`, [
    name,
    version,
  ]);

async function existing(tx: Transaction, schema: string, tables: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    'select name from unnest($1::text[]) as t(name) where to_regclass(name) is not null',
    [tables.map((table) => `${schema}.${table}`)],
  );
  return rows.map((row) => row.name);
}

/** Waits until no transaction reads the tables. Readers use them in any order, so locking without a timeout could deadlock. */
async function lockAlone(tx: Transaction, tables: readonly string[]): Promise<void> {
  await tx.query(`set local lock_timeout = '${lockWait}'`);
  for (let tries = 1; ; tries += 1) {
    await tx.query('savepoint before_lock');
    try {
      await tx.query(`lock table ${tables.join(', ')} in access exclusive mode`);
      return;
    } catch (error) {
      if (tries === lockTries) throw error;
      await tx.query('rollback to savepoint before_lock');
    }
  }
}

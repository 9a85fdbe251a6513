import type { Database, Transaction } from '../database/database.js';
import { statements } from '../database/migrate.js';
import { lockTables } from './lock-tables.js';
import type { Rebuildable } from './rebuildable.js';
import type { OnProgress, RebuiltCopy } from './rebuilt-copy.js';

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
      await exchange(tx, copy, [{ name, version, tables }]);
      await tx.query(`drop schema ${copy.shadow} cascade`);
    });
  } catch (error) {
    await copy.drop().catch(() => undefined);
    throw error;
  }
  // The new tables have no statistics, and no page is marked as visited by a vacuum, so a later vacuum would read all pages.
  for (const table of tables) await database.maintain(`vacuum (analyze, truncate off) ${copy.live}.${table}`);
}

/** Replaces the tables that serve by those that were built. */
export async function exchange(
  tx: Transaction,
  { live, shadow }: Pick<RebuiltCopy, 'live' | 'shadow'>,
  models: readonly Pick<Rebuildable, 'name' | 'version' | 'tables'>[],
): Promise<void> {
  const tables = models.flatMap((model) => model.tables);
  const old = await existing(tx, live, tables);
  if (old.length > 0) await lockTables(tx, old);
  for (const table of old) await tx.query(`drop table ${table}`);
  for (const table of tables) await tx.query(`alter table ${shadow}.${table} set schema ${live}`);
  for (const { name, version } of models) await noteVersion(tx, name, version);
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
    if (old.length > 0) await lockTables(tx, old);
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

import { createHash } from 'node:crypto';
import { projections } from '../../../projections/all.js';
import type { Database, Transaction } from '../../database/database.js';
import { statements } from '../../database/migrate.js';
import { holdErasures, onErasure, tableOfErasures } from '../../ledger/on-erasure.js';
import { lockTables } from '../lock-tables.js';
import type { Rebuildable } from '../rebuildable.js';

/** The schema of the tables that a version prepares while another one serves. */
export const preparedSchema = 'prepared_models';

/** The version of the program that prepares, and the read models in their form. */
export interface Contents {
  readonly program: string;
  readonly models: readonly { readonly name: string; readonly version: number; readonly definition: string }[];
}

/** The contents when this program prepares these read models. */
export const contentsOf = (program: string, models: readonly Rebuildable[]): Contents => ({
  program,
  models: models.map(({ name, version, ddl }) => ({
    name,
    version,
    definition: createHash('sha256').update(ddl).digest('hex'),
  })),
});

export const isSame = (one: Contents, other: Contents): boolean => JSON.stringify(one) === JSON.stringify(other);

export async function findPrepared(tx: Transaction): Promise<Contents | null> {
  const [there] = await tx.query<{ is: boolean }>('select to_regclass($1) is not null as is', [
    `${preparedSchema}.run`,
  ]);
  if (!there?.is) return null;
  const [row] = await tx.query<{ contents: string }>(`select contents from ${preparedSchema}.run`);
  return row ? JSON.parse(row.contents) : null;
}

/** The tables that are prepared now, in which erased texts leave bytes as in those that serve. */
export async function preparedTables(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind = 'r' order by 1`,
    [preparedSchema],
  );
  return rows.map(({ name }) => name);
}

/** Makes the empty tables. What is erased from now on is erased from them too, by every process. */
export async function createPrepared(
  tx: Transaction,
  models: readonly Rebuildable[],
  contents: Contents,
): Promise<void> {
  const [where] = await tx.query<{ live: string }>('select quote_ident(current_schema()) as live');
  if (!where) throw new Error('the database has no current schema');
  await tx.query(`create schema ${preparedSchema}`);
  await tx.query(`create table ${preparedSchema}.run (id uuid not null, contents text not null)`);
  await tx.query(`create table ${preparedSchema}.positions (chain uuid primary key, seq bigint not null)`);
  await tx.query(`insert into ${preparedSchema}.run values (gen_random_uuid(), $1)`, [JSON.stringify(contents)]);
  await first(tx);
  for (const { ddl } of models) for (const statement of statements(ddl)) await tx.query(statement);
  const names = models.map(({ name }) => name);
  const forgets = projections.filter(({ name }) => names.includes(name)).flatMap((one) => one.forgets ?? []);
  if (forgets.length === 0) return;
  await lockTables(tx, [tableOfErasures], 'share row exclusive');
  await onErasure(tx, [preparedSchema, where.live], forgets);
}

/** Removes what was prepared, with every text in it. A process that is still filling it fails with its next batch. */
export async function dropPrepared(tx: Transaction): Promise<void> {
  // The trigger on this table goes with the schema.
  await lockTables(tx, [tableOfErasures]);
  await tx.query(`drop schema if exists ${preparedSchema} cascade`);
}

export interface PreparedTables {
  readonly live: string;
  /** The number of the last entry of each chain that was applied. */
  readonly positions: Map<string, number>;
  /** @throws when another process has taken over or removed the tables */
  enter(tx: Transaction): Promise<void>;
}

/** Takes over the tables: another process that fills them fails with its next batch. */
export async function openPrepared(database: Database): Promise<PreparedTables> {
  const { live, id, rows } = await database.transaction(async (tx) => {
    await holdErasures(tx);
    const [where] = await tx.query<{ live: string }>('select quote_ident(current_schema()) as live');
    const [run] = await tx.query<{ id: string }>(
      `update ${preparedSchema}.run set id = gen_random_uuid() returning id::text`,
    );
    if (!where || !run) throw new Error('what was prepared is not there any more');
    const positions = await tx.query<{ chain: string; seq: number }>(
      `select chain::text, seq from ${preparedSchema}.positions`,
    );
    return { live: where.live, id: run.id, rows: positions };
  });
  return {
    live,
    positions: new Map(rows.map(({ chain, seq }) => [chain, seq])),
    async enter(tx) {
      await holdErasures(tx);
      const mine = (await findPrepared(tx))
        ? await tx.query(`select 1 from ${preparedSchema}.run where id = $1`, [id])
        : [];
      if (mine.length === 0) throw new Error('Another process has taken over or removed what was prepared.');
      await first(tx);
    },
  };
}

const first = (tx: Transaction) =>
  tx.query(`select set_config('search_path', $1 || ', ' || current_setting('search_path'), true)`, [preparedSchema]);

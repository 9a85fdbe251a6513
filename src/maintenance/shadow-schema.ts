import type { Database, Transaction } from '../database/database.js';
import { statements } from '../database/migrate.js';

/** A separate schema in which a copy of a read model is built while the live tables answer requests. */
export interface ShadowSchema {
  /** The schemas of the tables that serve and of those that are built, quoted for SQL. */
  readonly live: string;
  readonly shadow: string;
  /**
   * Makes unqualified names mean the tables that are built, for the rest of the transaction.
   * @throws when another replay of the same name has started since, because of two replays the later one wins
   */
  enter(tx: Transaction): Promise<void>;
  drop(): Promise<void>;
}

/** Tables that are only compared and then dropped need no write-ahead log: a crash empties them, and the next run drops them. */
export const unlogged = (ddl: string): string => ddl.replaceAll(/\bcreate table\b/g, 'create unlogged table');

/** Makes the schema `shadow` with the tables of `ddl`; one that a killed replay left is dropped first. */
export async function openShadowSchema(database: Database, ddl: string, shadow: string): Promise<ShadowSchema> {
  const first = (tx: Transaction) =>
    tx.query(`select set_config('search_path', $1 || ', ' || current_setting('search_path'), true)`, [shadow]);

  const { live, run } = await database.transaction(async (tx) => {
    await tx.query(`drop schema if exists ${shadow} cascade`);
    const [where] = await tx.query<{ live: string }>('select quote_ident(current_schema()) as live');
    if (!where) throw new Error('the database has no current schema');
    await tx.query(`create schema ${shadow}`);
    await tx.query(`create table ${shadow}.run (id uuid not null)`);
    const [started] = await tx.query<{ id: string }>(
      `insert into ${shadow}.run values (gen_random_uuid()) returning id::text`,
    );
    if (!started) throw new Error('the replay could not be started');
    await Promise.all([first(tx), ...statements(ddl).map((statement) => tx.query(statement))]);
    return { live: where.live, run: started.id };
  });

  async function enter(tx: Transaction): Promise<void> {
    const [, [mine]] = await Promise.all([first(tx), tx.query(`select 1 from ${shadow}.run where id = $1`, [run])]);
    if (!mine) throw new Error('another replay of the same read model has taken over');
  }

  return {
    live,
    shadow,
    enter,
    drop: () =>
      database.transaction(async (tx) => {
        await enter(tx);
        await tx.query(`drop schema ${shadow} cascade`);
      }),
  };
}

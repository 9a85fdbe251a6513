import type { Database } from '../../src/database/database.js';

/** Nothing can be inserted into `table` while `work` runs. */
export async function withBroken(database: Database, table: string, work: () => Promise<void>): Promise<void> {
  const sql = (text: string) => database.transaction((tx) => tx.query(text));
  await sql(`create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'this part is broken'; end $$`);
  await sql(`create trigger broken before insert on ${table} for each row execute function refuse()`);
  try {
    await work();
  } finally {
    await sql(`drop trigger broken on ${table}`);
  }
}

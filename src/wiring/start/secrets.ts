import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';

/** A secret that every process on this store shares, by its name: 32 bytes, made by the first who asks for it. */
export type SharedSecret = (name: string) => Promise<Uint8Array>;

/** Reads all secrets at once: a start needs ten of them. */
export async function openSecrets(database: Database, world: World): Promise<SharedSecret> {
  const rows = await database.read((tx) => tx.query<Secret>('select name, value from secrets'));
  const made = new Map(rows.map(({ name, value }) => [name, value]));
  return async (name) => made.get(name) ?? makeSecret(database, world, name);
}

interface Secret extends Record<string, unknown> {
  readonly name: string;
  readonly value: Uint8Array;
}

/** Another process may make it at the same time: what is stored counts. */
function makeSecret(database: Database, world: World, name: string): Promise<Uint8Array> {
  return database.transaction(async (tx) => {
    await tx.query('insert into secrets values ($1, $2) on conflict do nothing', [name, world.random(32)]);
    const [row] = await tx.query<{ value: Uint8Array }>('select value from secrets where name = $1', [name]);
    if (!row) throw new Error(`the secret ${name} is missing`);
    return row.value;
  });
}

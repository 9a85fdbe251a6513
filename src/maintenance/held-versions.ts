import type { Database } from '../database/database.js';

/** The versions of the read models that the store holds. */
export async function heldVersions(database: Database): Promise<ReadonlyMap<string, number>> {
  const held = await database.read((tx) =>
    tx.query<{ name: string; version: number }>('select name, version from projections'),
  );
  return new Map(held.map(({ name, version }) => [name, version]));
}

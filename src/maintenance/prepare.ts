import type { Projection } from '../../projections/projection.js';
import type { Database } from '../adapters/database/database.js';
import { statements } from '../adapters/database/migrate.js';

/**
 * Makes the tables of read models that are not there yet. A store whose tables are of another version needs a replay,
 * which is said plainly instead of being guessed at.
 */
export async function prepareTables(database: Database, projections: readonly Projection[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('lock table projections in exclusive mode');
    for (const { name, version, ddl } of projections) {
      const [held] = await tx.query<{ version: number }>('select version from projections where name = $1', [name]);
      if (held?.version === version) continue;
      if (held)
        throw new Error(`The read model ${name} is of version ${held.version}. Run: counterfoil replay ${name}`);
      for (const statement of statements(ddl)) await tx.query(statement);
      await tx.query('insert into projections values ($1, $2)', [name, version]);
    }
  });
}

import type { Database } from '../database/database.js';

/**
 * Asks for the rights of the last steps of a scrub before the first one, which rewrites the tables and takes long.
 * @throws Error with the commands that give the rights
 */
export async function requireRightsToScrub(database: Database): Promise<void> {
  const [row] = await database.read((tx) =>
    tx.query<{ role: string; checkpoint: boolean; switch: boolean }>(
      `select quote_ident(current_user) as role, pg_has_role('pg_checkpoint', 'usage') as checkpoint,
              has_function_privilege('pg_switch_wal()', 'execute') as switch`,
    ),
  );
  if (!row || (row.checkpoint && row.switch)) return;
  const grants = [
    ...(row.checkpoint ? [] : [`grant pg_checkpoint to ${row.role}`]),
    ...(row.switch ? [] : [`grant execute on function pg_switch_wal() to ${row.role}`]),
  ];
  throw new Error(
    `The role ${row.role} may not make a checkpoint and switch the write-ahead log, so nothing was scrubbed. ` +
      `Let an administrator of the server run in this database: ${grants.join('; ')}`,
  );
}

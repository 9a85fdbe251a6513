import type { Database } from '../database/database.js';

/** The workspace whose first password and key are unused. */
interface Unused {
  readonly workspaceId: string;
  /** Whether they were made within the last minute, by the clock of the database. */
  readonly justMade: boolean;
}

/** @returns null when the first password or key was used, or nothing was generated */
export async function unusedCredentials(database: Pick<Database, 'read'>): Promise<Unused | null> {
  const [row] = await database.read((tx) =>
    tx.query<{ id: string; just_made: boolean }>(
      `select workspace_id::text as id, generated_at > now() - interval '1 minute' as just_made from first_credentials`,
    ),
  );
  return row ? { workspaceId: row.id, justMade: row.just_made } : null;
}

/**
 * Agrees with every process that starts on this store at the same time on the id of the first workspace, and remembers
 * that what is about to be generated for it was not used.
 */
export async function agreeOnFirst(database: Database, workspaceId: string): Promise<string> {
  return database.transaction(async (tx) => {
    await tx.query('insert into first_credentials (workspace_id) values ($1) on conflict do nothing', [workspaceId]);
    const [row] = await tx.query<{ id: string }>('select workspace_id::text as id from first_credentials');
    return row?.id ?? workspaceId;
  });
}

/** The next minute belongs to the process that shows what it is about to generate. */
export async function generatingNow(database: Database): Promise<void> {
  await database.transaction((tx) => tx.query('update first_credentials set generated_at = now()'));
}

/** The credentials of this workspace were used, so no start replaces them any more. */
export async function credentialsUsed(database: Database, workspaceId: string): Promise<void> {
  await database.transaction((tx) => tx.query('delete from first_credentials where workspace_id = $1', [workspaceId]));
}

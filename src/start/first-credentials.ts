import { workspacesOf } from '../../projections/account/people.js';
import type { Database } from '../adapters/database/database.js';
import type { OpenSession, Sessions } from '../api/session/sessions.js';
import type { Caller } from '../domain/caller.js';
import type { Credentials } from '../http/credentials.js';

/** The workspace whose first password and key are unused. */
export interface Unused {
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

/** @returns notes that the credentials of a workspace were used, when they are those that were generated first */
async function createNoteUse(database: Database) {
  let unused = await unusedCredentials(database);
  return async (isOf: (workspaceId: string) => boolean | Promise<boolean>): Promise<void> => {
    if (unused === null || !(await isOf(unused.workspaceId))) return;
    await credentialsUsed(database, unused.workspaceId);
    unused = null;
  };
}

/** Notes the first time that a key of the first workspace is used over another transport than HTTP. */
export async function notingFirstUseOf<A extends readonly unknown[]>(
  database: Database,
  identify: (...args: A) => Promise<Caller>,
): Promise<(...args: A) => Promise<Caller>> {
  const noteUse = await createNoteUse(database);
  return async (...args) => {
    const caller = await identify(...args);
    await noteUse((workspaceId) => caller.workspaceId === workspaceId).catch(() => undefined);
    return caller;
  };
}

interface SignIn {
  readonly sessions: Sessions;
  readonly credentials: Credentials;
}

/** Notes the first time that a key of the first workspace is used or a member of it signs in; costs nothing after that. */
export async function notingFirstUse(database: Database, { sessions, credentials }: SignIn): Promise<SignIn> {
  const noteUse = await createNoteUse(database);
  const noting =
    <A extends readonly unknown[], R>(
      work: (...args: A) => Promise<R>,
      isOf: (result: R, workspaceId: string) => boolean | Promise<boolean>,
    ) =>
    async (...args: A): Promise<R> => {
      const result = await work(...args);
      // Who is known may come in, whether or not this can be written down now; the next request tries again.
      await noteUse((workspaceId) => isOf(result, workspaceId)).catch(() => undefined);
      return result;
    };
  // A person has one password: the session may be in another workspace.
  const isMember = async ({ person: { person_id } }: OpenSession, workspaceId: string) =>
    (await database.read((tx) => workspacesOf(tx, person_id))).some(({ id }) => id === workspaceId);
  return {
    credentials: {
      ...credentials,
      caller: noting(credentials.caller, ({ caller }, workspaceId) => caller.workspaceId === workspaceId),
    },
    sessions: {
      ...sessions,
      signIn: noting(sessions.signIn, isMember),
      signInAs: noting(sessions.signInAs, isMember),
    },
  };
}

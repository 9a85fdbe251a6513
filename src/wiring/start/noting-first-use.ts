import { workspacesOf } from '../../../projections/account/people.js';
import type { OpenSession, Sessions } from '../../api/session/sessions.js';
import { credentialsUsed, unusedCredentials } from '../../commands/first-credentials.js';
import type { Database } from '../../database/database.js';
import type { Caller } from '../../domain/caller.js';
import type { Credentials } from '../../http/credentials.js';

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

import type { Plan, Role } from '../../contracts/entries/entry.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { namespaceRows } from '../namespace/rows.js';

/** A session in a workspace: whose it is, and what that person may do there. */
export interface SessionView extends Row {
  person_id: string;
  member_id: string;
  workspace_id: string;
  role: Role;
  email: string;
  workspace: string;
  plan: Plan;
  memory_api: boolean;
  namespace_ids: string[];
}

/** A session that has not ended, while its membership lasts; with every namespace that the workspace ever had. */
export async function sessionById(tx: Transaction, id: string, now: Date): Promise<SessionView | undefined> {
  const [row] = await tx.query<SessionView>(
    `select s.person_id::text, m.id::text as member_id, m.workspace_id::text, m.role, m.email, w.name as workspace, w.plan,
            w.memory_api,
            array(select n.id::text from ${namespaceRows} n where n.workspace_id = m.workspace_id) as namespace_ids
       from sessions s join members m on m.id = s.member_id join workspaces w on w.id = m.workspace_id
      where s.id = $1::uuid and s.expires_at > $2`,
    [id, now.toISOString()],
  );
  return row;
}

/** The sessions among these that have not ended, of members and of guests. */
export async function liveSessions(tx: Transaction, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select s.id::text from sessions s where s.id = any($1::uuid[]) and s.expires_at > $2
        and (exists (select 1 from members m where m.id = s.member_id)
          or (s.member_id is null and exists (select 1 from guests g where g.id = s.person_id)))`,
    [ids, now.toISOString()],
  );
  return rows.map(({ id }) => id);
}

interface SessionRow extends Row {
  id: string;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  browser: string | null;
}

/** The sessions of a person that have not ended, in all workspaces, the newest first. */
export function sessionsOf(tx: Transaction, personId: string, now: Date): Promise<SessionRow[]> {
  return tx.query<SessionRow>(
    `select s.id::text, s.created_at, s.expires_at, s.used_at as last_used_at, s.browser
       from sessions s join members m on m.id = s.member_id
      where s.person_id = $1 and s.expires_at > $2 order by s.id desc limit 1000`,
    [personId, now.toISOString()],
  );
}

interface NewSession {
  readonly id: string;
  readonly personId: string;
  /** Null for a guest. */
  readonly memberId: string | null;
  readonly from: Date;
  readonly until: Date;
  /** The family of the browser, where it is known. */
  readonly browser: string | null;
}

/** Begins a session, and removes the rows of sessions that have expired. */
export async function insertSession(
  tx: Transaction,
  { id, personId, memberId, from, until, browser }: NewSession,
): Promise<void> {
  await tx.query(
    `delete from sessions where id in
       (select id from sessions where expires_at < $1 order by expires_at limit 100 for update skip locked)`,
    [from.toISOString()],
  );
  await tx.query(
    `insert into sessions (id, person_id, member_id, expires_at, created_at, used_at, browser)
     values ($1, $2, $3, $4, $5, $5, $6)`,
    [id, personId, memberId, until.toISOString(), from.toISOString(), browser],
  );
}

/** Notes that a session was used, if it still lasts. */
export async function noteSessionUse(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query('update sessions set used_at = greatest(used_at, $2) where id = $1::uuid', [id, at.toISOString()]);
}

/** @returns whether the session is still there */
export async function moveSession(tx: Transaction, id: string, memberId: string): Promise<boolean> {
  const moved = await tx.query('update sessions set member_id = $2 where id = $1 returning 1', [id, memberId]);
  return moved.length > 0;
}

export async function extendSession(tx: Transaction, id: string, until: Date): Promise<void> {
  await tx.query('update sessions set expires_at = $2 where id = $1', [id, until.toISOString()]);
}

export async function endSession(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from sessions where id = $1', [id]);
}

/** @returns whether the person had this session */
export async function endSessionOf(tx: Transaction, personId: string, id: string): Promise<boolean> {
  const ended = await tx.query('delete from sessions where id = $1::uuid and person_id = $2 returning 1', [
    id,
    personId,
  ]);
  return ended.length > 0;
}

/** Ends the sessions of these people, in all workspaces, except one. */
export async function endSessionsOf(
  tx: Transaction,
  personIds: readonly string[],
  exceptId: string | null = null,
): Promise<void> {
  await tx.query('delete from sessions where person_id = any($1::uuid[]) and ($2::uuid is null or id <> $2::uuid)', [
    personIds,
    exceptId,
  ]);
}

/** The workspace that a session of the person was in last; undefined where no session has been in one yet. */
export async function lastWorkspaceOf(tx: Transaction, personId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ workspace_id: string }>(
    'select workspace_id::text from last_workspaces where person_id = $1',
    [personId],
  );
  return row?.workspace_id;
}

export async function rememberWorkspace(tx: Transaction, personId: string, workspaceId: string): Promise<void> {
  await tx.query(
    `insert into last_workspaces (person_id, workspace_id) values ($1, $2)
      on conflict (person_id) do update set workspace_id = excluded.workspace_id
      where last_workspaces.workspace_id <> excluded.workspace_id`,
    [personId, workspaceId],
  );
}

/** Removes what is remembered of people who are members of no workspace any more. */
export async function forgetWorkspaces(tx: Transaction): Promise<void> {
  await tx.query(
    'delete from last_workspaces l where not exists (select 1 from members m where m.person_id = l.person_id)',
  );
}

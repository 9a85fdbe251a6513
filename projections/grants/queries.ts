import type { Role } from '../../contracts/entries/entry.js';
import type { GrantScope } from '../../contracts/grants.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { memberRows, workspaceRows } from '../account/rows.js';
import { agentRows } from '../agents/rows.js';
import { useRows } from '../uses/rows.js';

/** A grant with which its client may call now, and what its person and its workspace have. */
export interface LiveGrant extends Row {
  id: string;
  workspace_id: string;
  member_id: string;
  /** The role of the person, which the scopes have to be compared with: see `scopesWithin`. */
  role: Role;
  client_id: string;
  client_name: string | null;
  redirect_host: string;
  agent_id: string | null;
  /** As the person has allowed them. */
  scopes: GrantScope[];
  /** Without those that were deleted. */
  namespace_ids: string[];
  expires_at: string;
  memory_api: boolean;
}

/**
 * The grant with this id, of any workspace.
 * @returns undefined for one that was revoked or has expired, and for one whose person is no member or whose agent is not
 * linked any more
 */
export async function liveGrant(tx: Transaction, grantId: string, now: Date): Promise<LiveGrant | undefined> {
  const [row] = await tx.query<LiveGrant>(
    `select g.id, g.workspace_id::text, g.member_id::text, m.role, g.client_id, g.client_name, g.redirect_host,
            g.agent_id, g.scopes,
            g.namespace_ids::text[], g.expires_at, w.memory_api
       from grants g
       join ${memberRows} m on m.id = g.member_id
       join ${workspaceRows} w on w.id = g.workspace_id
      where g.id = $1 and g.expires_at > $2
        and (g.agent_id is null or exists (
          select 1 from ${agentRows} a where a.workspace_id = g.workspace_id and a.agent_id = g.agent_id))`,
    [grantId, now.toISOString()],
  );
  return row;
}

export interface GrantListed extends Row {
  id: string;
  client_id: string;
  client_name: string | null;
  redirect_host: string;
  agent_id: string | null;
  scopes: GrantScope[];
  namespace_ids: string[];
  member_id: string;
  email: string;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  receipt_id: string;
}

interface GrantFilter {
  /** Only the grants of this person; null for those of all. */
  readonly memberId: string | null;
  readonly now: Date;
}

/** The grants of a workspace that have not expired, newest first: those whose receipt is before `before`. */
export function grantsOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  { memberId, now }: GrantFilter,
  before: string | null,
  limit: number,
): Promise<GrantListed[]> {
  return tx.query<GrantListed>(
    `select g.id, g.client_id, g.client_name, g.redirect_host, g.agent_id, g.scopes, g.namespace_ids::text[],
            g.member_id::text, m.email, g.created_at, g.expires_at, u.used_at as last_used_at, g.receipt_id
       from grants g join ${memberRows} m on m.id = g.member_id left join ${useRows} u on u.id = g.id
      where g.workspace_id = $1 and g.expires_at > $2 and ($3::uuid is null or g.member_id = $3::uuid)
        and ($4::text is null or g.receipt_id < $4)
      order by g.receipt_id desc limit $5`,
    [workspaceId, now.toISOString(), memberId, before, limit],
  );
}

/** The facts about these grants that commands decide by. */
export function grantsNamed(tx: Transaction, workspaceId: string, ids: readonly string[]) {
  return tx.query<{
    id: string;
    member_id: string;
    client_id: string;
    agent_id: string | null;
    namespace_ids: string[];
    expires_at: string;
  }>(
    `select id, member_id::text, client_id, agent_id, namespace_ids::text[], expires_at from grants
      where workspace_id = $1 and id = any($2::text[])`,
    [workspaceId, ids],
  );
}

/** The workspace of a grant that was not revoked, and what an entry about it names. */
export async function grantWithId(tx: Transaction, grantId: string) {
  const [row] = await tx.query<{ workspace_id: string; member_id: string; client_id: string; agent_id: string | null }>(
    'select workspace_id::text, member_id::text, client_id, agent_id from grants where id = $1',
    [grantId],
  );
  return row;
}

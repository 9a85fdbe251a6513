import type { Row, Transaction } from '../../src/database/database.js';
import { useRows } from '../uses/rows.js';

interface AgentListed extends Row {
  id: string;
  agent_id: string;
  handle: string | null;
  name: string | null;
  proved: boolean;
  created_at: string;
  /** How many keys it has. */
  keys: number;
  /** When one of them was last used. */
  last_used_at: string | null;
}

/** The agents of a workspace that were linked before `before`, newest first. */
export function agentsOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  before: string | null,
  limit: number,
): Promise<AgentListed[]> {
  return tx.query<AgentListed>(
    `select a.id::text, a.agent_id, a.handle, a.name, a.proved, a.created_at, k.keys, k.last_used_at
       from (select * from agents
              where workspace_id = $1 and ($2::uuid is null or id < $2::uuid) order by id desc limit $3) a
       cross join lateral (
         select count(*)::int as keys, max(u.used_at) as last_used_at
           from agent_keys k left join ${useRows} u on u.id = k.id::text
          where k.workspace_id = a.workspace_id and k.link_id = a.id) k
      order by a.id desc`,
    [workspaceId, before, limit],
  );
}

/** The identity of an agent of the workspace, by that identity or by the SHA-256 of its token. */
export async function linkedAgent(
  tx: Transaction,
  workspaceId: string,
  by: { readonly agentId: string } | { readonly tokenHash: string },
): Promise<string | undefined> {
  const [column, value] = 'agentId' in by ? ['agent_id', by.agentId] : ['token_hash', by.tokenHash];
  const [row] = await tx.query<{ agent_id: string }>(
    `select agent_id from agents where workspace_id = $1 and ${column} = $2`,
    [workspaceId, value],
  );
  return row?.agent_id;
}

/** The facts that a command needs about these agents, which it names by their identity, their handle or their link. */
export function agentsNamed(tx: Transaction, workspaceId: string, names: readonly string[]) {
  return tx.select<{ id: string; agent_id: string; handle: string | null; proved: boolean; receipt_id: string }>(
    `select id::text, agent_id, handle, proved, receipt_id from agents
      where workspace_id = $1
        and (agent_id = any($2::text[]) or handle = any($2::text[]) or id::text = any($2::text[]))`,
    [workspaceId, names],
  );
}

interface ProvedHandle extends Row {
  /** Of the link. */
  id: string;
  agent_id: string;
  handle: string;
  vendor: string | null;
}

/** The links with proof for these handles. */
export function provedHandles(
  tx: Transaction,
  workspaceId: string,
  handles: readonly string[],
): Promise<ProvedHandle[]> {
  return tx.query<ProvedHandle>(
    `select id::text, agent_id, handle, vendor from agents
      where workspace_id = $1 and proved and handle = any($2::text[])`,
    [workspaceId, handles],
  );
}

/** Those of these identities that are linked to the workspace with proof. */
export async function provedIdentities(
  tx: Transaction,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ agent_id: string }>(
    'select agent_id from agents where workspace_id = $1 and proved and agent_id = any($2::text[])',
    [workspaceId, agentIds],
  );
  return rows.map(({ agent_id }) => agent_id);
}

/** The identities that are linked with proof: those of these handles, and of all the last `limit` that were linked. */
export function newestProvedIdentities(
  tx: Transaction,
  workspaceId: string,
  handles: readonly string[],
  limit: number,
): Promise<Pick<ProvedHandle, 'agent_id' | 'handle'>[]> {
  return tx.query<Pick<ProvedHandle, 'agent_id' | 'handle'>>(
    `select agent_id, handle from agents
      where workspace_id = $1 and proved and (handle = any($2::text[]) or id in (
        select id from agents where workspace_id = $1 and proved order by id desc limit $3))
      order by id desc`,
    [workspaceId, handles, limit],
  );
}

/** Whether the workspace has a link with this id. */
export async function linkExists(tx: Transaction, workspaceId: string, linkId: string): Promise<boolean> {
  const rows = await tx.query('select 1 from agents where workspace_id = $1 and id = $2::uuid', [workspaceId, linkId]);
  return rows.length > 0;
}

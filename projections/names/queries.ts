import type { Transaction } from '../../src/database/database.js';
import { keyRows, memberRows } from '../account/rows.js';
import { agentKeyRows, agentRows } from '../agents/rows.js';
import { grantRows } from '../grants/rows.js';
import { namespaceRows } from '../namespace/rows.js';

export interface NamedIds {
  /** Of keys, agent keys, members and links of agents. */
  readonly uuids: readonly string[];
  /** Of grants and agents. */
  readonly others: readonly string[];
  readonly namespaceIds: readonly string[];
}

/** The names of what there is now in this workspace, in one statement. Members are named by their e-mail addresses, or all by the same text. */
export async function namesOf(
  tx: Transaction,
  workspaceId: string,
  { uuids, others, namespaceIds }: NamedIds,
  member: string | null,
): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; name: string }>(
    `select k.id::text, k.name from ${keyRows} k where k.workspace_id = $1 and k.id = any($2::uuid[])
     union all
     select k.id::text, k.name from ${agentKeyRows} k where k.workspace_id = $1 and k.id = any($2::uuid[])
     union all
     select m.id::text, coalesce($5::text, m.email) from ${memberRows} m where m.workspace_id = $1 and m.id = any($2::uuid[])
     union all
     select a.id::text, coalesce(a.name, a.handle) from ${agentRows} a where a.workspace_id = $1 and a.id = any($2::uuid[])
     union all
     select a.agent_id, coalesce(a.name, a.handle) from ${agentRows} a where a.workspace_id = $1 and a.agent_id = any($3::text[])
     union all
     select g.id, coalesce(g.client_name, g.redirect_host) from ${grantRows} g where g.workspace_id = $1 and g.id = any($3::text[])
     union all
     select n.id::text, n.name from ${namespaceRows} n
      where n.workspace_id = $1 and n.id = any($4::uuid[]) and n.deleted_at is null`,
    [workspaceId, uuids, others, namespaceIds, member],
  );
  // An agent may be linked without a name and without a handle.
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

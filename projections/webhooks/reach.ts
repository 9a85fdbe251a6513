import { keyRows, memberRows } from '../account/rows.js';
import { agentKeyRows, agentRows } from '../agents/rows.js';
import { grantRows } from '../grants/rows.js';

/**
 * SQL of the namespaces that a webhook reports now: those that its creator could read when it was made, as far as the same
 * key, agent key, grant or person can read them still. No row: the creator has ended. Null in `namespace_ids`: all of the workspace.
 * @param webhook the alias of its row
 * @param now SQL of the time, at which a grant may have expired
 */
export function reachOf(webhook: string, now: string): string {
  const creator = (type: string, id: string) => `case when ${webhook}.creator_type = '${type}' then ${id} end`;
  const id = `${webhook}.creator_id`;
  const made = `${webhook}.namespace_ids`;
  return `lateral (
    select true as readable, case when r.namespace_ids is null then ${made}
                else array(select n from unnest(r.namespace_ids) n where ${made} is null or n = any(${made})) end as namespace_ids
      from (
        select null::uuid[] as namespace_ids from ${memberRows} c
         where c.id = ${creator('person', `${id}::uuid`)} and c.workspace_id = ${webhook}.workspace_id and c.role <> 'none'
        union all
        select c.namespace_ids from ${keyRows} c
         where c.id = ${creator('key', `${id}::uuid`)} and c.workspace_id = ${webhook}.workspace_id
        union all
        select c.namespace_ids from ${agentKeyRows} c
         where c.id = ${creator('agent_key', `${id}::uuid`)} and c.workspace_id = ${webhook}.workspace_id
        union all
        select c.namespace_ids from ${grantRows} c join ${memberRows} m on m.id = c.member_id
         where c.id = ${creator('grant', id)} and c.workspace_id = ${webhook}.workspace_id and c.expires_at > ${now}
           and m.role <> 'none' and (c.agent_id is null or exists (
             select 1 from ${agentRows} a where a.workspace_id = c.workspace_id and a.agent_id = c.agent_id))
      ) r)`;
}

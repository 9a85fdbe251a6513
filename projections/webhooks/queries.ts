import type { Row, Transaction } from '../../src/database/database.js';
import { keyRows, memberRows } from '../account/rows.js';
import { agentKeyRows, agentRows } from '../agents/rows.js';
import { grantRows } from '../grants/rows.js';
import { memoryRows } from '../memory/rows.js';

export interface WebhookView extends Row {
  id: string;
  name: string | null;
  host: string;
  /** JSON text. */
  pattern: string;
  created_at: string;
  last_delivery_at: string | null;
  last_status_code: number | null;
  failing: boolean;
  disabled: boolean;
  /** Whether what made the webhook can still read something that the webhook may report. */
  readable: boolean;
  /** The namespaces that it reports now; null: all of the workspace. */
  reach: string[] | null;
}

const view = `w.id::text, w.name, w.host, w.pattern, w.created_at, h.last_delivery_at, h.last_status_code,
  h.failing_since is not null as failing, coalesce(h.disabled, false) as disabled,
  r.readable is not null as readable, r.namespace_ids::text[] as reach`;

/** The webhooks of an agent, newest first. */
export function webhooksOfAgent(
  tx: Transaction,
  workspaceId: string,
  agentId: string,
  now: Date,
): Promise<WebhookView[]> {
  return tx.query<WebhookView>(
    `select ${view} from webhooks w left join webhook_health h on h.webhook_id = w.id
       left join ${reachOf('w', '$3')} r on true
      where w.workspace_id = $1 and w.agent_id = $2 order by w.id desc`,
    [workspaceId, agentId, now.toISOString()],
  );
}

export interface WebhookOfWorkspace extends WebhookView {
  agent_id: string;
  agent_handle: string | null;
  agent_name: string | null;
}

/** The webhooks of all agents of a workspace, newest first: those before `before`. */
export function webhooksOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  now: Date,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<WebhookOfWorkspace[]> {
  return tx.query<WebhookOfWorkspace>(
    `select ${view}, w.agent_id, a.handle as agent_handle, a.name as agent_name
       from webhooks w left join webhook_health h on h.webhook_id = w.id
       left join ${agentRows} a on a.workspace_id = w.workspace_id and a.agent_id = w.agent_id
       left join ${reachOf('w', '$2')} r on true
      where w.workspace_id = $1 and ($3::uuid is null or w.id < $3::uuid) order by w.id desc limit $4`,
    [workspaceId, now.toISOString(), before, limit],
  );
}

export async function hasWebhook(tx: Transaction, workspaceId: string, agentId: string, id: string): Promise<boolean> {
  const rows = await tx.query('select 1 from webhooks where id = $3::uuid and workspace_id = $1 and agent_id = $2', [
    workspaceId,
    agentId,
    id,
  ]);
  return rows.length > 0;
}

/** The facts that a command needs about the webhooks of a workspace. */
export function webhooksOf(tx: Transaction, workspaceId: string) {
  return tx.select<{ id: string; agent_id: string; receipt_id: string }>(
    'select id::text, agent_id, receipt_id from webhooks where workspace_id = $1',
    [workspaceId],
  );
}

/** Whether the workspace has any webhooks. */
export async function hasWebhooks(tx: Transaction, workspaceId: string): Promise<boolean> {
  return (await tx.select('select 1 from webhooks where workspace_id = $1 limit 1', [workspaceId])).length > 0;
}

export interface Listening extends Row {
  id: string;
  workspace_id: string;
  pattern: string;
  /** The namespaces that it reports now. Null: all of the workspace. */
  namespace_ids: string[] | null;
}

/**
 * The webhooks that may be notified of these memories. Until the transaction ends none of them is deleted, so that no delivery
 * is left behind; a transaction that also takes jobs or memories takes them after these, as an append does.
 */
export function webhooksOver(tx: Transaction, memoryIds: readonly string[], now: Date): Promise<Listening[]> {
  return tx.query<Listening>(
    `select w.id::text, w.workspace_id::text, w.pattern, r.namespace_ids::text[]
       from webhooks w join ${reachOf('w', '$2')} r on true left join webhook_health h on h.webhook_id = w.id
      where w.workspace_id in (select m.workspace_id from ${memoryRows} m where m.id = any($1::uuid[]))
        and not coalesce(h.disabled, false) order by w.id for key share of w`,
    [memoryIds, now.toISOString()],
  );
}

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

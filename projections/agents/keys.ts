import type { Reader, Row, Transaction } from '../../src/database/database.js';
import type { MemoryScope } from '../../src/domain/caller.js';
import { workspaceRows } from '../account/rows.js';
import { useRows } from '../uses/rows.js';

interface AgentKeyView extends Row {
  id: string;
  agent_id: string;
  name: string;
  scopes: MemoryScope[];
  namespace_ids: string[];
}

/** A key of an agent, and what its workspace has. */
export interface KnownAgentKey extends AgentKeyView {
  workspace_id: string;
  memory_api: boolean;
}

/** The keys of agents that are not revoked and whose secrets have these SHA-256, by them. */
export async function agentKeysBySecretHash(
  tx: Reader,
  secretHashes: readonly string[],
): Promise<ReadonlyMap<string, KnownAgentKey>> {
  const rows = await tx.query<KnownAgentKey & { secret_hash: string }>(
    `select k.secret_hash, k.id::text, k.workspace_id::text, k.agent_id, k.name, k.scopes, k.namespace_ids::text[],
            w.memory_api
       from agent_keys k join ${workspaceRows} w on w.id = k.workspace_id where k.secret_hash = any($1)`,
    [secretHashes],
  );
  return new Map(rows.map(({ secret_hash: hash, ...key }) => [hash, key]));
}

export interface AgentKeyListed extends AgentKeyView {
  created_at: string;
  last_used_at: string | null;
}

/** The keys of a linked agent that are not revoked, newest first: those before `before`. */
export function keysOfLink(
  tx: Transaction,
  workspaceId: string,
  linkId: string,
  before: string | null,
  limit: number,
): Promise<AgentKeyListed[]> {
  return tx.query<AgentKeyListed>(
    `select k.id::text, k.agent_id, k.name, k.scopes, k.namespace_ids::text[], k.created_at, u.used_at as last_used_at
       from agent_keys k left join ${useRows} u on u.id = k.id::text
      where k.workspace_id = $1 and k.link_id = $2 and ($3::uuid is null or k.id < $3::uuid)
      order by k.id desc limit $4`,
    [workspaceId, linkId, before, limit],
  );
}

/** The facts that commands need about keys of agents, which they name by the id of the key or of its link. */
export function agentKeysNamed(tx: Transaction, workspaceId: string, names: readonly string[]) {
  return tx.select<{ id: string; link_id: string; namespace_ids: string[]; receipt_id: string }>(
    `select id::text, link_id::text, namespace_ids::text[], receipt_id from agent_keys
      where workspace_id = $1 and (id = any($2::uuid[]) or link_id = any($2::uuid[]))`,
    [workspaceId, names],
  );
}

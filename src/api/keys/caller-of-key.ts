import type { KnownKey, SigningKey } from '../../../projections/account/queries.js';
import type { Caller } from '../../domain/caller.js';

export type { KnownKey, SigningKey };

/**
 * The caller that an API key speaks for.
 * @param agent the linked agent that a request names; null for none
 * @param runId the run that a request belongs to; null for none
 * @param via the transport, where the ledger names it
 */
export function callerOfKey(key: KnownKey, agent: string | null, runId: string | null, via?: 'kafka'): Caller {
  const { id, workspace_id, user_id, agent_id, app_id, name, scopes, namespace_ids, memory_api } = key;
  return {
    workspaceId: workspace_id,
    actor: {
      type: 'key',
      id,
      user_id,
      agent_id: agent ?? agent_id,
      app_id: app_id ?? name,
      run_id: runId,
      ...(via && { via }),
    },
    scopes,
    namespaceIds: namespace_ids,
    agent,
    role: null,
    memoryApi: memory_api,
  };
}

import { Refusal } from '../../contracts/errors.js';
import type { KnownKey, SigningKey } from '../../projections/account/queries.js';
import { type Caller, requireAccess } from '../domain/caller.js';
import type { WorkspaceOperation } from './operation.js';
import type { RateLimits } from './rate-limits.js';

export type { KnownKey, SigningKey };

/**
 * Decides whether a caller may call an operation now, before the body is read: the rights, the agent that must be named, and
 * the budget of the workspace. @throws Refusal
 */
export async function admit(
  { access, needsAgent, counted, summary }: Pick<WorkspaceOperation, 'access' | 'needsAgent' | 'counted' | 'summary'>,
  caller: Caller,
  rateLimits: RateLimits,
): Promise<void> {
  // The summary up to the first detail.
  requireAccess(caller, access, summary.split(/[;,]/, 1).join());
  if (needsAgent && caller.agent === null) throw new Refusal('agent_required');
  if (counted) await rateLimits.workspace(caller, counted);
}

function receiptsOf({ scopes, receipts }: Pick<KnownKey, 'scopes' | 'receipts'>): Caller['receipts'] {
  if (scopes.includes('receipts.read') || receipts === 'all') return 'all';
  return receipts === null && scopes.length === 0 ? 'while bound' : undefined;
}

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
    receipts: receiptsOf(key),
    agent,
    role: null,
    memoryApi: memory_api,
  };
}

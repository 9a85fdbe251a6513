import { Refusal } from '../../contracts/errors.js';
import { type Caller, requireAccess } from '../domain/caller.js';
import type { WorkspaceOperation } from './operation.js';
import type { RateLimits } from './rate-limits.js';

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

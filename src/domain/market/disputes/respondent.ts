import { agentIdPattern, handlePattern } from '../../../../contracts/agents.js';
import type { Handles } from '../state/handles.js';
import type { CaseStatement } from './statement.js';

/** A handle with the tag of its workspace, as agents without an identity are written. */
const taggedPattern = /^@[a-z0-9-]{2,32}~[0-9a-f]{16}$/;

export const isHandle = (respondent: string): boolean => handlePattern.test(respondent);

/** Whether receipts of the owner decide about a case against this respondent. */
export const dependsOnReceipts = (respondent: string): boolean =>
  isHandle(respondent) || agentIdPattern.test(respondent);

/**
 * The agent against which a case counts; null when it counts against none.
 *
 * - `@handle` is an agent of the owner's own workspace: the one that the handle was recorded as in the newest public receipt
 *   of the owner up to this statement; before the first such receipt it is the handle itself.
 * - `agn_…` counts when the owner has a public receipt of this identity, or when a second workspace states the same.
 * - `@handle~tag` is the agent of a workspace that is named by its tag. It counts when a second workspace states the same.
 * - Any other text names no agent.
 */
export function agentAgainst(
  { workspace, respondent, seq }: CaseStatement,
  handles: Pick<Handles, 'agentAt' | 'hasIdentity'>,
  confirmed: boolean,
): string | null {
  if (isHandle(respondent)) return handles.agentAt(workspace, respondent, seq) ?? `${respondent}~${workspace}`;
  if (agentIdPattern.test(respondent))
    return confirmed || handles.hasIdentity(workspace, respondent) ? respondent : null;
  return confirmed && taggedPattern.test(respondent) ? respondent : null;
}

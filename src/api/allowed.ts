import { Refusal } from '../../contracts/errors.js';
import { type Caller, requireAccess } from '../domain/caller.js';
import type { WorkspaceOperation } from './operation.js';

/** The right and the agent that a call needs. */
export type Needs = Pick<WorkspaceOperation, 'access' | 'needsAgent'>;

/**
 * Whether the credential of a caller can ever make such a call, by its role, its scopes and its agent. A key that is bound to no namespace
 * yet counts as able: its calls are refused with a sentence about that.
 */
export function isAllowed(caller: Caller, { access, needsAgent }: Needs): boolean {
  if (needsAgent && caller.agent === null) return false;
  try {
    requireAccess(caller, access);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return error.code === 'key_has_no_namespaces';
    throw error;
  }
}

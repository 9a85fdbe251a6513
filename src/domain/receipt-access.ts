import type { Audience } from '../../contracts/entries/kind.js';
import type { Caller } from './caller.js';

/** Whether a caller reads receipts about the whole workspace if it reaches all of its namespaces. A key that is limited by scopes never does. */
export function mayReadGovernance({ role, scopes }: Caller): boolean {
  return role !== null || scopes.length === 0;
}

/**
 * The kinds of receipts of its workspace that a caller may read. Receipts of memories are shown to a caller that reaches their
 * namespaces. Receipts of governance name people, keys, agents and namespaces of the whole workspace, so a key must reach all of it.
 * @param reachesAll whether no namespace of the workspace is beyond the caller
 */
export function readableAudiences(caller: Caller, reachesAll: boolean): readonly Audience[] {
  const all = mayReadGovernance(caller) && (caller.role !== null || reachesAll);
  return all ? ['memory', 'governance'] : ['memory'];
}

import type { Actor } from '../../contracts/entries/entry.js';
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

/**
 * Whether the caller may have the query of a search opened. The answer to a wrong query says that it is wrong, so others could find out
 * by guessing what was searched for. The one who has searched may, and a person for the grants that this person gave. Keys and agent keys are of
 * the workspace, and agent keys cannot use the REST API: for these an owner or admin may as well.
 */
export function mayOpenQuery(searched: Actor, { actor, role }: Caller): boolean {
  if (searched.id !== null && searched.type === actor.type && searched.id === actor.id) return true;
  if (searched.type === 'grant') return actor.type === 'person' && actor.id !== null && searched.user_id === actor.id;
  return (searched.type === 'key' || searched.type === 'agent_key') && (role === 'owner' || role === 'admin');
}

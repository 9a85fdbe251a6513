import type { Actor } from '../../contracts/entries/entry.js';
import type { Caller } from './caller.js';

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

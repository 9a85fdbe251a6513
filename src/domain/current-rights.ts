import type { Role } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Caller } from './caller.js';

/** The keys, members and agents of the request that still have their rights. */
interface CurrentRights {
  readonly keys: ReadonlyMap<string, { readonly namespaceIds: readonly string[] }>;
  readonly members: ReadonlyMap<string, { readonly role: Role }>;
  /** By identity. */
  readonly agents: ReadonlyMap<string, unknown>;
}

/**
 * Returns the caller with the rights at the end of the chain, because rights may have been revoked since the request
 * arrived.
 * @throws Refusal unauthorized, session_expired, agent_not_linked
 */
export function withCurrentRights(caller: Caller, { keys, members, agents }: CurrentRights): Caller {
  const { actor, agent } = caller;
  if (agent !== null && !agents.has(agent)) throw new Refusal('agent_not_linked');
  if (actor.type === 'key') {
    const key = keys.get(actor.id ?? '');
    if (!key) throw new Refusal('unauthorized', 'This API key was revoked.');
    return { ...caller, namespaceIds: key.namespaceIds };
  }
  const member = members.get(actor.id ?? '');
  if (!member) throw new Refusal('session_expired', 'You are not a member of this workspace any more.');
  return { ...caller, role: member.role };
}

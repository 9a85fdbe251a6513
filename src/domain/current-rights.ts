import type { Role } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Caller } from './caller.js';

interface Bound {
  readonly namespaceIds: readonly string[];
}

/** The credentials, members and agents of the request that still have their rights. */
interface CurrentRights {
  readonly keys: ReadonlyMap<string, Bound>;
  readonly agentKeys: ReadonlyMap<string, Bound>;
  readonly members: ReadonlyMap<string, { readonly role: Role }>;
  /** By identity. */
  readonly agents: ReadonlyMap<string, unknown>;
}

/**
 * Returns the caller with the rights at the end of the chain, because rights may have been revoked since the request
 * arrived.
 * @throws Refusal unauthorized, session_expired, agent_not_linked
 */
export function withCurrentRights(caller: Caller, rights: CurrentRights): Caller {
  const current = { ...caller, ...rightsOf(caller, rights) };
  if (caller.agent !== null && !rights.agents.has(caller.agent)) throw new Refusal('agent_not_linked');
  return current;
}

function rightsOf({ actor }: Caller, { keys, agentKeys, members }: CurrentRights): Partial<Caller> {
  const id = actor.id ?? '';
  switch (actor.type) {
    case 'key':
      return { namespaceIds: boundBy(keys.get(id), 'This API key was revoked.') };
    case 'agent_key':
      return { namespaceIds: boundBy(agentKeys.get(id), 'This agent key was revoked.') };
    default: {
      const member = members.get(id);
      if (!member) throw new Refusal('session_expired', 'You are not a member of this workspace any more.');
      return { role: member.role };
    }
  }
}

function boundBy(credential: Bound | undefined, revoked: string): readonly string[] {
  if (!credential) throw new Refusal('unauthorized', revoked);
  return credential.namespaceIds;
}

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
  readonly grants: ReadonlyMap<string, Bound & { readonly memberId: string; readonly expiresAt: string }>;
  readonly members: ReadonlyMap<string, { readonly role: Role }>;
  /** By identity. */
  readonly agents: ReadonlyMap<string, unknown>;
}

/**
 * Returns the caller with the rights at the end of the chain, because rights may have been revoked since the request
 * arrived.
 * @throws Refusal unauthorized, session_expired, agent_not_linked
 */
export function withCurrentRights(caller: Caller, rights: CurrentRights, now: string): Caller {
  const current = { ...caller, ...rightsOf(caller, rights, now) };
  if (caller.agent !== null && !rights.agents.has(caller.agent)) throw new Refusal('agent_not_linked');
  return current;
}

function rightsOf(caller: Caller, rights: CurrentRights, now: string): Partial<Caller> {
  const { actor } = caller;
  const { keys, agentKeys, members } = rights;
  const id = actor.id ?? '';
  switch (actor.type) {
    case 'key':
      return { namespaceIds: boundBy(keys.get(id), 'This API key was revoked.') };
    case 'agent_key':
      return { namespaceIds: boundBy(agentKeys.get(id), 'This agent key was revoked.') };
    case 'grant':
      return rightsOfGrant(caller, rights, now);
    default: {
      const member = members.get(id);
      if (!member) throw new Refusal('session_expired', 'You are not a member of this workspace any more.');
      return { role: member.role };
    }
  }
}

/** A grant reaches what it names, and never more than its person does. */
function rightsOfGrant({ actor, scopes }: Caller, { grants, members }: CurrentRights, now: string): Partial<Caller> {
  const grant = grants.get(actor.id ?? '');
  const member = grant && members.get(grant.memberId);
  if (!member || grant.expiresAt <= now) throw new Refusal('unauthorized', 'This access was revoked or has expired.');
  return {
    namespaceIds: grant.namespaceIds,
    scopes: scopesWithin(scopes, member.role),
    role: roleOfGrant(member.role),
  };
}

function boundBy(credential: Bound | undefined, revoked: string): readonly string[] {
  if (!credential) throw new Refusal('unauthorized', revoked);
  return credential.namespaceIds;
}

/**
 * The scopes of a grant, or of an access token of it, that the role of its person reaches: a reader reads where the grant
 * would allow writes.
 */
export function scopesWithin(scopes: readonly string[], role: Role): readonly string[] {
  if (role !== 'reader' || !scopes.includes('memory.write')) return scopes;
  return [...new Set(scopes.map((scope) => (scope === 'memory.write' ? 'memory.read' : scope)))];
}

/** The role of a caller with a grant: none like that of a key, or the one that refuses every call, where its person has no role. */
export function roleOfGrant(role: Role): 'none' | null {
  return role === 'none' ? role : null;
}

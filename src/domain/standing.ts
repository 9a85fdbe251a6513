import type { Role } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Caller } from './caller.js';

/** Of the keys, members and agents that the caller is or names, those that still have their rights. */
interface Standing {
  readonly keys: ReadonlyMap<string, { readonly namespaceIds: readonly string[] }>;
  readonly members: ReadonlyMap<string, { readonly role: Role }>;
  /** By identity. */
  readonly agents: ReadonlyMap<string, unknown>;
}

/**
 * The caller as things stand where the chain ends: a right may have been taken since the request came in.
 * @throws Refusal unauthorized, session_expired, agent_not_linked
 */
export function standingOf(caller: Caller, { keys, members, agents }: Standing): Caller {
  const { actor, agent } = caller;
  if (agent !== null && !agents.has(agent)) throw new Refusal('agent_not_linked');
  if (actor.type === 'key') {
    const key = keys.get(actor.id ?? '');
    if (!key) throw new Refusal('unauthorized', 'This API key was revoked.');
    return { ...caller, namespaceIds: key.namespaceIds };
  }
  const member = members.get(actor.id ?? '');
  if (!member) throw new Refusal('session_expired', 'You are no member of this workspace any more.');
  return { ...caller, role: member.role };
}

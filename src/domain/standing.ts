import type { Draft } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Caller } from './caller.js';
import type { WorkspaceState } from './state.js';

/**
 * The caller as things stand where the chain ends: a right may have been taken since the request came in.
 * @throws Refusal unauthorized, session_expired, agent_not_linked
 */
export function standingOf(caller: Caller, { keys, members, agents }: WorkspaceState): Caller {
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

/** The namespaces whose memories an entry is about, of the kinds that keys may write. */
export function namespacesOf({ kind, body }: Draft): readonly string[] {
  switch (kind) {
    case 'memory.write':
    case 'memory.delete':
      return [body.namespace_id];
    case 'memory.recall':
    case 'approval.requested':
      return body.namespace_ids;
    case 'webhook.created':
      return body.namespace_ids ?? [];
    default:
      return [];
  }
}

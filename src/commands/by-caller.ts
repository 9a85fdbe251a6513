import { requiredNamespaces } from '../../contracts/entries/catalogue.js';
import type { Actor } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import {
  type Access,
  type Caller,
  reaches,
  requireAccess,
  requireNamespaces,
  requireUnpaused,
} from '../domain/caller.js';
import { withCurrentRights } from '../domain/current-rights.js';
import type { Command } from './command.js';
import type { Run } from './run.js';
import { findNamespace, type NamespaceState } from './state/namespaces.js';
import type { Reads, WorkspaceState } from './state/state.js';

/**
 * Runs commands in the name of a caller. The rights of the caller are checked again with the state that each command is
 * decided on: after a revocation the chain has no further entry of the revoked caller, however long a request was in flight.
 */
export function runBy(run: Run, caller: Caller, access: Access): Run {
  return (workspaceId, command) => run(workspaceId, byCaller(caller, access, command));
}

function byCaller<A>(caller: Caller, access: Access, command: Command<A>): Command<A> {
  return {
    actor: command.actor,
    reads: withStanding(command.reads, caller),
    decide(state, recordedAt, head, indexing) {
      const standing = withCurrentRights(caller, state, recordedAt);
      requireAccess(standing, access);
      const decision = command.decide(state, recordedAt, head, indexing);
      // The command looked at what the caller reached when the request came in.
      const touched = caller.role === null ? decision.drafts.flatMap(requiredNamespaces) : [];
      if (!touched.every((id) => reaches(standing, id))) throw new Refusal('namespace_out_of_scope');
      return decision;
    },
  };
}

/** With what `withCurrentRights` looks at. */
function withStanding(reads: Reads, { actor, agent }: Caller): Reads {
  const also = { ...reads, ...credentialOf(reads, actor) };
  return agent === null ? also : { ...also, agents: [...(also.agents ?? []), agent] };
}

function credentialOf(reads: Reads, { type, id, user_id }: Actor): Reads {
  if (id === null) return {};
  const { keys = [], agentKeys = [], grants = [], members = [] } = reads;
  const withMember = (member: string) => (members === 'all' ? members : [...members, member]);
  switch (type) {
    case 'key':
      return { keys: [...keys, id] };
    case 'agent_key':
      return { agentKeys: [...agentKeys, id] };
    case 'grant':
      return { grants: [...grants, id], members: withMember(user_id ?? '') };
    case 'person':
      return { members: withMember(id) };
    default:
      return {};
  }
}

/** The namespace that a write goes to. @throws Refusal when there is none, or when the workspace is paused for this caller */
export function admittedTo(state: WorkspaceState, caller: Caller, idOrName: string | undefined): NamespaceState {
  const namespace = writableNamespace(state, caller, idOrName);
  requireUnpaused(state.governance.rules, caller);
  return namespace;
}

/**
 * The namespace a write goes to. One that does not exist is namespace_not_found, one that exists but that the
 * caller does not reach is namespace_out_of_scope. Namespaces of other workspaces are never loaded, so they do not exist here.
 */
function writableNamespace(state: WorkspaceState, caller: Caller, idOrName: string | undefined): NamespaceState {
  requireNamespaces(caller);
  const namespace = findNamespace(state.namespaces, idOrName);
  if (!namespace) throw new Refusal(idOrName === undefined ? 'namespace_required' : 'namespace_not_found');
  if (namespace.deleted) throw new Refusal('namespace_deleted');
  if (!reaches(caller, namespace.id)) throw new Refusal('namespace_out_of_scope');
  return namespace;
}

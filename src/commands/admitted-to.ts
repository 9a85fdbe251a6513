import { Refusal } from '../../contracts/errors.js';
import { type Caller, reaches, requireNamespaces, requireUnpaused } from '../domain/caller.js';
import { findNamespace, type NamespaceState } from './state/namespaces.js';
import type { WorkspaceState } from './state/state.js';

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

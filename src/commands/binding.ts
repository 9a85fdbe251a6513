import { Refusal } from '../../contracts/errors.js';
import { findNamespace } from './state/namespaces.js';
import type { WorkspaceState } from './state/state.js';

/**
 * The ids of the namespaces that a key will be bound to.
 * @param namespaces ids or names; the default namespace when undefined
 * @throws Refusal namespace_required, namespace_not_found, namespace_deleted
 */
export function boundTo(state: WorkspaceState, namespaces: readonly string[] | undefined): readonly string[] {
  const ids = (namespaces ?? [undefined]).map((idOrName) => {
    const found = findNamespace(state.namespaces, idOrName);
    if (!found) throw new Refusal(idOrName === undefined ? 'namespace_required' : 'namespace_not_found');
    if (found.deleted) throw new Refusal('namespace_deleted');
    return found.id;
  });
  return [...new Set(ids)];
}

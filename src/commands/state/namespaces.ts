import { type NamespaceRow, namespacesNamed } from '../../../projections/memory/state.js';
import { distinct, type Slice, stepwise } from './slice.js';

export interface NamespaceState {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly deleted: boolean;
}

export type Namespaces = readonly NamespaceState[];

/** The namespaces with these ids or names, and the default namespace in any case. */
export const namespaces: Slice<readonly string[], Namespaces> = {
  empty: [],
  async load({ tx, workspaceId }, reads) {
    return (await namespacesNamed(tx, workspaceId, distinct(reads))).map(stateOf);
  },
  evolve: stepwise((before, { entry }) => {
    switch (entry.kind) {
      case 'namespace.created': {
        const { namespace_id: id, name, is_default: isDefault } = entry.body;
        return [...before, { id, name, isDefault, deleted: false }];
      }
      case 'namespace.renamed':
        return changed(before, entry.body.namespace_id, { name: entry.body.name });
      case 'namespace.deleted':
        return changed(before, entry.body.namespace_id, { deleted: true });
      default:
        return before;
    }
  }),
};

export function findNamespace(all: Namespaces, idOrName: string | undefined): NamespaceState | undefined {
  if (idOrName === undefined) return all.find((namespace) => namespace.isDefault);
  // Ids first: no one may take over a namespace by giving its id to another one as a name.
  return (
    all.find((namespace) => namespace.id === idOrName) ??
    all.find((namespace) => namespace.name === idOrName && !namespace.deleted)
  );
}

function stateOf({ id, name, is_default: isDefault, deleted }: NamespaceRow): NamespaceState {
  return { id, name, isDefault, deleted };
}

function changed(all: Namespaces, id: string, change: Partial<NamespaceState>): Namespaces {
  return all.map((one) => (one.id === id ? { ...one, ...change } : one));
}

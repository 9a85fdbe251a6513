import { Refusal } from '../../../contracts/errors.js';
import { memoryCounts, type NamespaceRow, namespacesNamed } from '../../../projections/memory/state.js';
import type { Transaction } from '../../database/database.js';
import { comparedName } from '../../domain/namespace-name.js';
import { distinct, type Slice, stepwise } from './slice.js';

/** The parts of a namespace by which it is found. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly deleted: boolean;
}

export interface NamespaceState extends Named {
  /** How PostgreSQL stems the words of its memories. It never changes. */
  readonly textConfig: string;
}

export type Namespaces = readonly NamespaceState[];

/** The namespaces with these ids or names, and the default namespace in any case. */
export const namespaces: Slice<readonly string[], Namespaces> = {
  empty: [],
  async load({ tx, workspaceId }, reads) {
    return (await namespacesNamed(tx, workspaceId, distinct(reads))).map(stateOf);
  },
  evolve: stepwise({
    'namespace.created': (before, { entry }) => {
      const { namespace_id: id, name, is_default: isDefault, text_config: textConfig } = entry.body;
      return [...before, { id, name, isDefault, deleted: false, textConfig }];
    },
    'namespace.renamed': (before, { entry }) => changed(before, entry.body.namespace_id, { name: entry.body.name }),
    'namespace.deleted': (before, { entry }) => changed(before, entry.body.namespace_id, { deleted: true }),
  }),
};

/** The namespace of a workspace with this id or name, read outside of a command. @throws Refusal as `findNamespace` */
export async function storedNamespace(tx: Transaction, workspaceId: string, idOrName: string | undefined) {
  const named = idOrName === undefined ? [] : [idOrName];
  return findNamespace((await namespacesNamed(tx, workspaceId, named)).map(stateOf), idOrName);
}

/**
 * The namespace with this id or name; the default one for undefined. A name may have other white space than the namespace, unless
 * several namespaces of earlier versions differ only in that. @throws Refusal namespace_not_found in that case
 */
export function findNamespace<N extends Named>(all: readonly N[], idOrName: string | undefined): N | undefined {
  if (idOrName === undefined) return all.find((namespace) => namespace.isDefault);
  // Ids first: no one may take over a namespace by giving its id to another one as a name.
  const byId = all.find((namespace) => namespace.id === idOrName);
  if (byId) return byId;
  const alike = namesakes(all, idOrName);
  const found = alike.find((namespace) => namespace.name === idOrName) ?? alike[0];
  if (alike.length < 2 || found?.name === idOrName) return found;
  throw new Refusal('namespace_not_found', 'Several namespaces have this name with other white space: give an id.');
}

/** The namespaces that are not deleted whose names compare equal to this one. */
export function namesakes<N extends Named>(all: readonly N[], name: string): readonly N[] {
  const compared = comparedName(name);
  return all.filter((namespace) => !namespace.deleted && comparedName(namespace.name) === compared);
}

function stateOf({ id, name, is_default: isDefault, deleted, text_config: textConfig }: NamespaceRow): NamespaceState {
  return { id, name, isDefault, deleted, textConfig };
}

function changed(all: Namespaces, id: string, change: Partial<NamespaceState>): Namespaces {
  return all.map((one) => (one.id === id ? { ...one, ...change } : one));
}

/** By the id of the namespace. */
export type Counts = ReadonlyMap<string, number>;

/** How many memories these namespaces hold. */
export const counts: Slice<readonly string[], Counts> = {
  empty: new Map(),
  async load({ tx }, reads) {
    return new Map((await memoryCounts(tx, distinct(reads))).map(({ id, count }) => [id, count]));
  },
  evolve: stepwise({
    'memory.write': (before, { entry }) => added(before, entry.body.namespace_id, 1),
    'memory.delete': (before, { entry }) => added(before, entry.body.namespace_id, -1),
    'memory.moved': (before, { entry: { body } }) => added(added(before, body.from, -1), body.to, 1),
  }),
};

/** Only namespaces that a command reads are counted. */
function added(counts: Counts, namespaceId: string, more: number): Counts {
  const before = counts.get(namespaceId);
  return before === undefined ? counts : new Map(counts).set(namespaceId, before + more);
}

import { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { namespace } from '../../../contracts/memory.js';
import { isUuid } from '../../base/world.js';
import { findNamespace } from '../../commands/state/namespaces.js';
import { type Call, type CallParts, call } from '../call.js';
import { namespaceListOperation } from './namespaces.js';

const listed = z.object({ data: z.array(namespace) });

type Reached = z.output<typeof listed>['data'];
type Asking = Pick<Call, 'caller' | 'client'> & CallParts;

/** The namespaces that a caller reaches, by name, at most 1000. @throws Refusal for a caller that may not read */
export async function reachedNamespaces({ caller, client, services, rateLimits }: Asking): Promise<Reached> {
  return listed.parse((await call(namespaceListOperation, { caller, client }, { services, rateLimits })).body).data;
}

/**
 * The ids of namespaces that were named by id or by name. A name that the caller does not reach may exist or not: the refusal is the same.
 * @returns ids as they were sent: whether they are reached is for the operation to say
 * @throws Refusal namespace_out_of_scope
 */
export async function namespaceIdsOf(given: readonly string[], asking: Asking): Promise<readonly string[]> {
  if (given.every((one) => isUuid(one))) return given;
  const reached = await reachedNamespaces(asking);
  const all = reached.map(({ id, name, is_default: isDefault }) => ({ id, name, isDefault, deleted: false }));
  return given.map((one) => {
    const found = isUuid(one) ? { id: one } : findNamespace(all, one);
    if (found) return found.id;
    throw new Refusal('namespace_out_of_scope', 'This is the name of no namespace that you may use.');
  });
}

/** The most names that a sentence for a model lists. */
export const namespacesShown = 20;

/** The same refusal with the names of the namespaces that the caller may use instead; every other one as it is. */
export async function withNamespaces(refusal: Refusal, asking: Asking): Promise<Refusal> {
  const { code, details } = refusal;
  if (code !== 'namespace_out_of_scope' && code !== 'namespace_not_found') return refusal;
  const reached = await reachedNamespaces(asking).catch(() => null);
  if (reached === null) return refusal;
  const names = reached.slice(0, namespacesShown).map(({ name }) => name);
  const more = reached.length > names.length ? ` and ${reached.length - names.length} more` : '';
  const sentence = `${refusal.message} You may use ${names.map((name) => JSON.stringify(name)).join(', ')}${more}.`;
  return new Refusal(code, sentence, { ...details, namespaces: names }, { cause: refusal });
}

/** The namespace of a write that names none: the only one that a key or grant is bound to; undefined for the default one. */
export function onlyNamespace({
  role,
  namespaceIds,
}: Pick<Call['caller'], 'role' | 'namespaceIds'>): string | undefined {
  return role === null && namespaceIds.length === 1 ? namespaceIds[0] : undefined;
}

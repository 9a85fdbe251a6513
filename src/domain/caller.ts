import type { Actor } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';

export type Scope = 'memory.read' | 'memory.write';

/** Who calls: a workspace, the namespaces that may be reached, the scopes, and what becomes the provenance of a write. */
export interface Caller {
  readonly workspaceId: string;
  readonly actor: Actor;
  /** Empty: not narrowed. */
  readonly scopes: readonly string[];
  readonly namespaceIds: readonly string[];
}

/** Reads need either scope, writes need memory.write; a key without scopes may do both. */
export function requireScope(caller: Caller, scope: Scope): void {
  const { scopes } = caller;
  if (scopes.length === 0 || scopes.includes('memory.write')) return;
  if (scope === 'memory.read' && scopes.includes('memory.read')) return;
  throw new Refusal('insufficient_scope', `This call needs the scope ${scope}.`, { required: scope });
}

export function requireUnnarrowed(caller: Caller): void {
  if (caller.scopes.length > 0) {
    throw new Refusal('insufficient_scope', 'An export needs a key that is not narrowed by scopes.');
  }
}

export function requireNamespaces(caller: Caller): void {
  if (caller.namespaceIds.length === 0) throw new Refusal('key_has_no_namespaces');
}

export function reaches(caller: Caller, namespaceId: string): boolean {
  return caller.namespaceIds.includes(namespaceId);
}

/**
 * The namespaces a read covers: those asked for, or all that the caller reaches.
 * @throws Refusal namespace_out_of_scope when one of them is not bound to the caller, whether or not it exists, so that
 * a key cannot learn which namespaces there are.
 */
export function readableNamespaces(caller: Caller, asked: readonly string[] | undefined): readonly string[] {
  requireNamespaces(caller);
  if (asked === undefined) return caller.namespaceIds;
  const unreachable = asked.find((id) => !reaches(caller, id));
  if (unreachable !== undefined) throw new Refusal('namespace_out_of_scope');
  return [...new Set(asked)];
}

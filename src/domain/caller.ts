import type { Actor, Role } from '../../contracts/entries/entry.js';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';

export type Scope = 'memory.read' | 'memory.write';

/** Who calls: a workspace, the namespaces that may be reached, the scopes, and what becomes the provenance of a write. */
export interface Caller {
  readonly workspaceId: string;
  readonly actor: Actor;
  /** Empty: not narrowed. */
  readonly scopes: readonly string[];
  /** Those that a key is bound to. A person reaches all that there ever were: receipts speak of deleted ones too. */
  readonly namespaceIds: readonly string[];
  /** The agent that the request itself names and that is linked to the workspace; not one that a key stands for. */
  readonly agent: string | null;
  /** Of a signed-in person; null for a key. */
  readonly role: Role | null;
  /** Whether the workspace has the memory API. */
  readonly memoryApi: boolean;
}

/** What a call asks of whoever makes it. */
export type Access = Scope | keyof typeof rules;

/** Whether such a call goes on where the memory API is off: people and keys are managed still. */
export function isOfMemoryApi(access: Access): boolean {
  return access !== 'manage the workspace' && access !== 'manage keys';
}

/** Of everything but memories: what a key is told, and what somebody in a role is told who may not. Null: may. */
const rules = {
  'export memories': { key: null, others: 'admin_required' },
  'manage namespaces': { key: 'namespace_management_forbidden', others: 'namespace_management_forbidden' },
  'see key bindings': { key: 'user_session_required', others: null },
  'bind keys': { key: 'user_session_required', others: 'key_binding_forbidden' },
  'manage the workspace': { key: 'user_session_required', others: 'admin_required' },
  'decide approvals': { key: 'user_session_required', others: 'admin_required' },
  'manage keys': { key: 'user_session_required', others: 'admin_required' },
} as const satisfies Record<string, { key: ErrorCode | null; others: ErrorCode | null }>;

/**
 * Decides whether the caller may make such a call at all. A key that is bound to nothing may make none, whatever it is for.
 * @throws Refusal feature_not_enabled, workspace_role_required, key_has_no_namespaces, read_only, insufficient_scope, or
 * what the rule says
 */
export function requireAccess(caller: Caller, access: Access): void {
  if (!caller.memoryApi && isOfMemoryApi(access)) throw new Refusal('feature_not_enabled');
  if (caller.role === 'none') throw new Refusal('workspace_role_required');
  if (caller.role === null && takesKeys(access)) requireNamespaces(caller);
  if (access === 'memory.read' || access === 'memory.write') {
    if (caller.role === null) requireScope(caller, access);
    if (caller.role === 'reader' && access === 'memory.write') throw new Refusal('read_only');
    return;
  }
  const { key, others } = rules[access];
  if (caller.role === null && access === 'export memories') requireUnnarrowed(caller);
  const refused = caller.role === null ? key : caller.role === 'owner' || caller.role === 'admin' ? null : others;
  if (refused !== null) throw new Refusal(refused);
}

/** What `requireAccess` may refuse a call with. */
export function refusalsOfAccess(access: Access): readonly ErrorCode[] {
  const off: readonly ErrorCode[] = isOfMemoryApi(access) ? ['not_found', 'feature_not_enabled'] : [];
  const unbound: readonly ErrorCode[] = takesKeys(access) ? ['key_has_no_namespaces'] : [];
  return [...off, 'workspace_role_required', ...unbound, ...refusalsOfCaller(access)];
}

function refusalsOfCaller(access: Access): readonly ErrorCode[] {
  if (access === 'memory.read') return [];
  if (access === 'memory.write') return ['read_only', 'insufficient_scope'];
  const { key, others } = rules[access];
  const narrowed: readonly ErrorCode[] = access === 'export memories' ? ['insufficient_scope'] : [];
  return [...narrowed, ...[key, others].filter((code) => code !== null)];
}

/** Whether an API key may ever make a call of this kind. */
export function takesKeys(access: Access): boolean {
  return access === 'memory.read' || access === 'memory.write' || rules[access].key === null;
}

/** Reads need either scope, writes need memory.write; a key without scopes may do both. */
function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.length === 0 || scopes.includes('memory.write')) return;
  if (scope === 'memory.read' && scopes.includes('memory.read')) return;
  throw new Refusal('insufficient_scope', `This call needs the scope ${scope}.`, { required: scope });
}

function requireUnnarrowed({ scopes }: Caller): void {
  if (scopes.length === 0) return;
  throw new Refusal('insufficient_scope', 'An export needs a key that is not narrowed by scopes.');
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
  if (unreachable !== undefined) {
    throw new Refusal(caller.role === null ? 'namespace_out_of_scope' : 'namespace_not_found');
  }
  return [...new Set(asked)];
}

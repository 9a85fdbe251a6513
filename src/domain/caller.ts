import type { Actor, Role, WriteRules } from '../../contracts/entries/entry.js';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';

export type MemoryScope = 'memory.read' | 'memory.write';
export type Scope = MemoryScope | 'receipts.read';

/** The caller of a request: the workspace, the accessible namespaces, the scopes, and the provenance of a write. */
export interface Caller {
  readonly workspaceId: string;
  readonly actor: Actor;
  /** Empty when the key is not restricted to scopes. */
  readonly scopes: readonly string[];
  /**
   * The namespaces that a key is bound to. A person may see every namespace, also deleted ones, because receipts name them.
   */
  readonly namespaceIds: readonly string[];
  /**
   * The receipts that a key sees besides those of its namespaces: all of the workspace, or all while it is bound to every namespace
   * from before there was the scope receipts.read. Absent: none.
   */
  readonly receipts?: 'all' | 'while bound' | undefined;
  /** The linked agent that the request itself names. An agent that owns the key is not meant. */
  readonly agent: string | null;
  /** The role of a signed-in person; null for a key. */
  readonly role: Role | null;
  /** Whether the workspace has the memory API. */
  readonly memoryApi: boolean;
}

/** The right that a call needs. Task receipts are submitted with the rights of a write; only the order of refusals differs. */
export type Access = Scope | 'submit task receipts' | keyof typeof rules;

/** People, agents, keys and grants can still be managed where the memory API is disabled. */
const ofNoMemories: readonly Access[] = [
  'manage the workspace',
  'see agents',
  'manage keys',
  'manage own grants',
  'see operations',
];

/** Whether the call is refused where the memory API is disabled. */
export function isOfMemoryApi(access: Access): boolean {
  return !ofNoMemories.includes(access);
}

/**
 * For every right except those for memories: the error for a key, and the error for people who are neither owner nor admin.
 * Null means that the call is allowed.
 */
const rules = {
  'export memories': { key: null, others: 'admin_required' },
  'export receipts': { key: null, others: 'admin_required' },
  'manage namespaces': { key: 'namespace_management_forbidden', others: 'namespace_management_forbidden' },
  'see key bindings': { key: 'user_session_required', others: null },
  'see agents': { key: 'user_session_required', others: null },
  'bind keys': { key: 'user_session_required', others: 'key_binding_forbidden' },
  'manage the workspace': { key: 'user_session_required', others: 'admin_required' },
  'decide approvals': { key: 'user_session_required', others: 'admin_required' },
  'manage keys': { key: 'user_session_required', others: 'admin_required' },
  'manage own grants': { key: 'user_session_required', others: null },
  // Which of these people are operators is found out before the body of a call is read.
  'see operations': { key: 'user_session_required', others: null },
} as const satisfies Record<string, { key: ErrorCode | null; others: ErrorCode | null }>;

/**
 * Checks whether the caller has the right to make a call, which refusals name by `what`. A key without namespaces may make no call that takes keys.
 * @throws Refusal feature_not_enabled, workspace_role_required, key_has_no_namespaces, read_only, insufficient_scope,
 * or the error of the rule
 */
export function requireAccess(caller: Caller, access: Access, what?: string): void {
  if (!caller.memoryApi && isOfMemoryApi(access)) throw new Refusal('feature_not_enabled');
  if (caller.role === 'none') throw new Refusal('workspace_role_required');
  if (access === 'submit task receipts') {
    requireSubmission(caller);
    return;
  }
  if (caller.role === null && takesKeys(access)) requireNamespaces(caller);
  if (isScope(access)) {
    if (caller.role === null) requireScope(caller, access);
    if (caller.role === 'reader' && access === 'memory.write') throw new Refusal('read_only');
    return;
  }
  const { key, others } = rules[access];
  if (caller.role === null && access === 'export memories') requireNoScopes(caller);
  if (caller.role === null && access === 'export receipts') requireReceipts(caller);
  const refused = caller.role === null ? key : isAdmin(caller) ? null : others;
  if (refused !== null) throw new Refusal(refused, what === undefined ? undefined : sentences[refused]?.(what, access));
}

/** The messages that name the call. Other messages say already what may not be done. */
const sentences: Partial<Record<ErrorCode, (what: string, access: Access) => string>> = {
  user_session_required: (what) => `"${what}" needs a person who is signed in.`,
  admin_required: (what, access) =>
    `"${what}" needs an owner or admin who is signed in${access === 'export memories' ? ', or a key that is not limited by scopes' : ''}.`,
};

function requireSubmission(caller: Caller): void {
  if (caller.role === 'reader') throw new Refusal('read_only');
  if (caller.role !== null) return;
  requireScope(caller, 'memory.write');
  requireNamespaces(caller);
}

/** The errors with which `requireAccess` may refuse a call. */
export function refusalsOfAccess(access: Access): readonly ErrorCode[] {
  const off: readonly ErrorCode[] = isOfMemoryApi(access) ? ['not_found', 'feature_not_enabled'] : [];
  const unbound: readonly ErrorCode[] = takesKeys(access) ? ['key_has_no_namespaces'] : [];
  return [...off, 'workspace_role_required', ...unbound, ...refusalsOfCaller(access)];
}

function refusalsOfCaller(access: Access): readonly ErrorCode[] {
  if (access === 'memory.read') return ['insufficient_scope'];
  if (access === 'receipts.read') return [];
  if (access === 'memory.write' || access === 'submit task receipts') return ['read_only', 'insufficient_scope'];
  const { key, others } = rules[access];
  const isExport = access === 'export memories' || access === 'export receipts';
  const narrowed: readonly ErrorCode[] = isExport ? ['insufficient_scope'] : [];
  return [...narrowed, ...[key, others].filter((code) => code !== null)];
}

/** Whether API keys may make calls that need this right. */
export function takesKeys(access: Access): boolean {
  if (isScope(access) || access === 'submit task receipts') return true;
  return rules[access].key === null;
}

const isScope = (access: Access): access is Scope => Object.hasOwn(satisfying, access);

/** The scopes of which a call needs one. A reader of memories reads their receipts. */
const satisfying: Readonly<Record<Scope, readonly string[]>> = {
  'memory.read': ['memory.read', 'memory.write'],
  'memory.write': ['memory.write'],
  'receipts.read': ['memory.read', 'memory.write', 'receipts.read'],
};

/** A key without scopes may make every call that needs one. */
function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.length === 0 || scopes.some((one) => satisfying[scope].includes(one))) return;
  throw new Refusal('insufficient_scope', `This call needs the scope ${scope}.`, { required: scope });
}

/** Whether the caller is an owner or admin who is signed in. */
export const isAdmin = ({ role }: Pick<Caller, 'role'>): boolean => role === 'owner' || role === 'admin';

/** Whether the caller has the rights of a write of a memory, as they were when the request came in. */
export function mayWrite({ role, scopes }: Caller): boolean {
  if (role !== null) return role !== 'reader' && role !== 'none';
  return scopes.length === 0 || scopes.includes('memory.write');
}

function requireNoScopes({ scopes }: Caller): void {
  if (scopes.length === 0) return;
  throw new Refusal('insufficient_scope', 'An export needs a key that is not restricted to scopes.');
}

function requireReceipts({ receipts }: Caller): void {
  if (receipts !== undefined) return;
  throw new Refusal('insufficient_scope', 'An export of all receipts needs a key with the scope receipts.read.', {
    required: 'receipts.read',
  });
}

/** Whether the caller may read memories of its namespaces. */
export function mayReadMemories({ role, scopes }: Caller): boolean {
  return role !== null || scopes.length === 0 || scopes.some((one) => satisfying['memory.read'].includes(one));
}

/**
 * Keys are paused with every agent. A signed-in person who writes in the name of an agent counts as that agent.
 * @throws Refusal tenant_paused
 */
export function requireUnpaused({ pause_all }: WriteRules, caller: Caller): void {
  if (pause_all && (caller.role === null || caller.agent !== null)) throw new Refusal('tenant_paused');
}

export function requireNamespaces(caller: Caller): void {
  if (caller.namespaceIds.length === 0) throw new Refusal('key_has_no_namespaces');
}

export function reaches(caller: Caller, namespaceId: string): boolean {
  return caller.namespaceIds.includes(namespaceId);
}

/**
 * Returns the namespaces that a read covers: the requested ones, or all namespaces of the caller.
 * @throws Refusal namespace_out_of_scope when one of them is not bound to the caller, whether or not it exists, so that
 * a key cannot find out which namespaces exist.
 */
export function readableNamespaces(caller: Caller, requested: readonly string[] | undefined): readonly string[] {
  requireNamespaces(caller);
  if (requested === undefined) return caller.namespaceIds;
  const unreachable = requested.find((id) => !reaches(caller, id));
  if (unreachable !== undefined) {
    throw new Refusal(caller.role === null ? 'namespace_out_of_scope' : 'namespace_not_found');
  }
  return [...new Set(requested)];
}

import { createHash } from 'node:crypto';
import type { Entry, Plan, Role, WriteRules } from '../../contracts/entries/entry.js';
import type { Deposit, KeptAnswer, Recorded } from '../../contracts/entries/recorded.js';
import { type AgentState, agentsAfter, type WebhookState, webhooksAfter } from './agents.js';
import { type Approvals, approvalsAfter } from './approval.js';
import { type Meter, meterAfter, noMeter } from './plan.js';

export interface NamespaceState {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly deleted: boolean;
}

export interface KeyState {
  readonly id: string;
  /** Those that it is bound to. */
  readonly namespaceIds: readonly string[];
  /** Of its creation. */
  readonly receiptId: string;
}

export interface MemoryState {
  readonly id: string;
  readonly namespaceId: string;
  readonly contentHash: string;
  readonly jobId: string;
  readonly stage: string;
  readonly receiptId: string;
  readonly receiptHash: string;
}

export interface MemberState {
  readonly id: string;
  readonly role: Role;
  readonly email: string;
  /** Of the entry that added the person. */
  readonly receiptId: string;
}

/** What a command must see of its workspace before it can be decided. Only what was asked for is loaded. */
export interface Wants {
  /** Namespace ids or names; the default namespace is always loaded. */
  readonly namespaces: readonly string[];
  readonly memoryIds: readonly string[];
  /** SHA-256 of contents that may already be there, in any namespace of the workspace. */
  readonly contentHashes: readonly string[];
  /** Keys of requests that may have been answered before. */
  readonly requestKeys: readonly string[];
  readonly keyIds: readonly string[];
  /** Identities of agents, or ids of their links. */
  readonly agents: readonly string[];
  /** Whether it matters which webhooks there are. */
  readonly webhooks: boolean;
  /** Namespaces whose memories are to be counted. */
  readonly counted: readonly string[];
  /** Whether the rules of the workspace matter, and what its plan has left. */
  readonly rules: boolean;
  /** Approvals by their id or the receipt of their decision. */
  readonly approvals: readonly string[];
  /** Whose pending requests matter if there is a rule that asks (`maybe`), or in any case (`surely`). */
  readonly requester: { readonly id: string; readonly holds: 'maybe' | 'surely' } | null;
  /** Whether it matters who is a member. */
  readonly members: boolean;
  /** Members that matter also when not all of them do. */
  readonly memberIds: readonly string[];
}

/** For a command whose decision does not depend on what is there. */
export const wantsNothing: Wants = {
  ...{
    namespaces: [],
    memoryIds: [],
    contentHashes: [],
    requestKeys: [],
    keyIds: [],
    agents: [],
    webhooks: false,
    counted: [],
    rules: false,
    approvals: [],
    requester: null,
    members: false,
    memberIds: [],
  },
};

/** The part of a workspace that a batch of commands looks at, as of one position of its chain. */
export interface WorkspaceState {
  readonly namespaces: readonly NamespaceState[];
  readonly memories: ReadonlyMap<string, MemoryState>;
  /** By request key. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  readonly keys: ReadonlyMap<string, KeyState>;
  /** By identity. */
  readonly agents: ReadonlyMap<string, AgentState>;
  readonly webhooks: ReadonlyMap<string, WebhookState>;
  /** Memories in each namespace that was to be counted. */
  readonly counts: ReadonlyMap<string, number>;
  readonly rules: WriteRules;
  readonly plan: Plan;
  readonly meter: Meter;
  readonly approvals: Approvals;
  /** All of them, or those that were asked for. */
  readonly members: ReadonlyMap<string, MemberState>;
}

/** Of a workspace that has set none. */
export const defaultRules: WriteRules = { pause_all: false, sensitive: 'redact', ask_owner: [] };

export const emptyState: WorkspaceState = {
  namespaces: [],
  memories: new Map(),
  answers: new Map(),
  keys: new Map(),
  agents: new Map(),
  webhooks: new Map(),
  counts: new Map(),
  rules: defaultRules,
  plan: 'enterprise',
  meter: noMeter,
  approvals: new Map(),
  members: new Map(),
};

/** SHA-256 of the stored content's UTF-8: two contents are the same when these are equal. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content, 'utf8').digest('hex');
}

export function findNamespace(state: WorkspaceState, idOrName: string | undefined): NamespaceState | undefined {
  if (idOrName === undefined) return state.namespaces.find((namespace) => namespace.isDefault);
  // Ids first: nobody may take over a namespace by naming another one after its id.
  return (
    state.namespaces.find((namespace) => namespace.id === idOrName) ??
    state.namespaces.find((namespace) => namespace.name === idOrName && !namespace.deleted)
  );
}

export function findContent(state: WorkspaceState, namespaceId: string, hash: string): MemoryState | undefined {
  for (const memory of state.memories.values()) {
    if (memory.namespaceId === namespaceId && memory.contentHash === hash) return memory;
  }
  return undefined;
}

/** The state after an entry, so that a command sees what those decided before it in the same batch have done. */
export function evolve(before: WorkspaceState, { entry, hash, deposit }: Recorded): WorkspaceState {
  const state = { ...before, meter: meterAfter(before.meter, entry) };
  switch (entry.kind) {
    case 'memory.write': {
      const memory = written(entry, hash, deposit);
      const counts = counted(state, memory.namespaceId, 1);
      const approvals = approvalsAfter(state.approvals, entry, deposit);
      return { ...state, counts, approvals, memories: new Map(state.memories).set(memory.id, memory) };
    }
    case 'memory.moved':
      return moved(state, entry);
    case 'memory.delete': {
      const memories = new Map(state.memories);
      memories.delete(entry.body.memory_id);
      const approvals = approvalsAfter(state.approvals, entry, deposit);
      return { ...state, memories, approvals, counts: counted(state, entry.body.namespace_id, -1) };
    }
    case 'approval.requested':
    case 'approval':
      return { ...state, approvals: approvalsAfter(state.approvals, entry, deposit) };
    case 'workspace.provisioned':
      return { ...state, plan: entry.body.plan };
    case 'namespace.created': {
      const { namespace_id: id, name, is_default: isDefault } = entry.body;
      return { ...state, namespaces: [...state.namespaces, { id, name, isDefault, deleted: false }] };
    }
    case 'member.added':
    case 'member.changed':
    case 'member.password_changed':
    case 'member.removed':
      return { ...state, members: membersAfter(state.members, entry, deposit) };
    case 'rules.changed':
      return { ...state, rules: entry.body };
    case 'namespace.renamed':
      return changeNamespace(state, entry.body.namespace_id, { name: entry.body.name });
    case 'namespace.deleted':
      return {
        ...changeNamespace(state, entry.body.namespace_id, { deleted: true }),
        keys: keysWithout(state.keys, entry.body.namespace_id),
      };
    case 'agent.linked':
    case 'agent.unlinked':
      return { ...state, agents: agentsAfter(state.agents, entry) };
    case 'webhook.created':
    case 'webhook.deleted':
      return { ...state, webhooks: webhooksAfter(state.webhooks, entry) };
    case 'key.created':
    case 'key.bound':
    case 'key.revoked':
      return { ...state, keys: keysAfter(state.keys, entry) };
    case 'memory.recall':
    case 'workspace.created':
    case 'workspace.renamed':
    case 'log.key_added':
    case 'log.key_ended':
    case 'log.heads_added':
    case 'checkpoint.signed':
    case 'checkpoint.cosigned':
    case 'anchor.submitted':
    case 'anchor.attested':
    case 'anchor.confirmed':
    case 'anchor.lost':
      return state;
    default:
      return entry satisfies never;
  }
}

type WriteEntry = Extract<Entry, { kind: 'memory.write' }>;

function written({ body, receipt_id }: WriteEntry, receiptHash: string, deposit: Deposit | null): MemoryState {
  return {
    id: body.memory_id,
    namespaceId: body.namespace_id,
    contentHash: contentHash(deposit?.texts.content ?? ''),
    jobId: body.job_id,
    stage: 'queued',
    receiptId: receipt_id,
    receiptHash,
  };
}

function moved(state: WorkspaceState, { body: { memory_id, from, to } }: Extract<Entry, { kind: 'memory.moved' }>) {
  const memory = state.memories.get(memory_id);
  const counts = counted({ ...state, counts: counted(state, from, -1) }, to, 1);
  if (!memory) return { ...state, counts };
  return { ...state, counts, memories: new Map(state.memories).set(memory_id, { ...memory, namespaceId: to }) };
}

function changeNamespace(state: WorkspaceState, id: string, change: Partial<NamespaceState>): WorkspaceState {
  return { ...state, namespaces: state.namespaces.map((one) => (one.id === id ? { ...one, ...change } : one)) };
}

/** Counts only where somebody asked for it. */
function counted({ counts }: WorkspaceState, namespaceId: string, more: number): WorkspaceState['counts'] {
  const before = counts.get(namespaceId);
  return before === undefined ? counts : new Map(counts).set(namespaceId, before + more);
}

type MemberEntry = Extract<Entry, { kind: `member.${string}` }>;

function membersAfter(before: WorkspaceState['members'], entry: MemberEntry, deposit: Deposit | null) {
  const members = new Map(before);
  const id = entry.body.member_id;
  if (entry.kind === 'member.added') {
    const { email }: { email: string } = JSON.parse(deposit?.texts.content ?? '{}');
    members.set(id, { id, role: entry.body.role, email, receiptId: entry.receipt_id });
  } else {
    const member = members.get(id);
    members.delete(id);
    if (member && entry.kind === 'member.changed') members.set(id, { ...member, role: entry.body.role });
    if (member && entry.kind === 'member.password_changed') {
      members.set(id, { ...member, receiptId: entry.receipt_id });
    }
  }
  return members;
}

type KeyEntry = Extract<Entry, { kind: 'key.created' | 'key.bound' | 'key.revoked' }>;

function keysAfter(before: WorkspaceState['keys'], entry: KeyEntry) {
  const keys = new Map(before);
  const id = entry.body.key_id;
  const known = keys.get(id);
  if (entry.kind === 'key.revoked') keys.delete(id);
  else if (entry.kind === 'key.created') {
    keys.set(id, { id, namespaceIds: entry.body.namespace_ids, receiptId: entry.receipt_id });
  } else if (known) keys.set(id, { ...known, namespaceIds: entry.body.namespace_ids });
  return keys;
}

function keysWithout(keys: WorkspaceState['keys'], namespaceId: string): WorkspaceState['keys'] {
  return new Map(
    [...keys].map(([id, key]) => [id, { ...key, namespaceIds: key.namespaceIds.filter((one) => one !== namespaceId) }]),
  );
}

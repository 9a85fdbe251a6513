import { isDeepStrictEqual } from 'node:util';
import type { Assumed } from '../../contracts/assumed.js';
import type { ApprovalUse, AskRule } from '../../contracts/entries/entry.js';
import type { IndexableText } from '../../contracts/entries/indexable.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import type { Stage } from '../../contracts/memory.js';
import type { World } from '../base/world.js';
import type { Transaction } from '../database/database.js';
import { matchingRule, requestDigest } from '../domain/approval.js';
import type { Caller } from '../domain/caller.js';
import { contentHash } from '../domain/content.js';
import { heldTextOf } from '../domain/held-write.js';
import { requireRoom } from '../domain/plan.js';
import { type Counts, requireNothingSensitive } from '../domain/redaction/finding.js';
import { hold, type NewRequest, newRequest, type Request, requireApproved } from './approvals.js';
import { admittedTo } from './by-caller.js';
import type { Command } from './command.js';
import { type Decided, nothing, type Recording, recording } from './record.js';
import { findContent, type MemoryState } from './state/memories.js';
import type { NamespaceState } from './state/namespaces.js';
import { loadState, type WorkspaceState } from './state/state.js';

/** A memory that a caller wants to store. Content, metadata and source are redacted already. */
export interface NewMemory {
  readonly content: string;
  /** JSON text as it was sent but for what was redacted. */
  readonly metadata: string;
  readonly source: string | null;
  /** The kinds of values that redaction replaced in these three, for workspaces that refuse such values instead. */
  readonly sensitive: Counts;
  /** The file name or the URL that it was imported from. */
  readonly label: string | null;
  /** The assumptions of the reader of that file or page; absent when it made none. */
  readonly assumed?: Assumed | undefined;
  readonly namespace: string | undefined;
  readonly playground: boolean;
  /** Of an earlier try, if that was held. */
  readonly approvalId: string | undefined;
}

export interface MemoryAccepted {
  readonly job_id: string;
  readonly memory_id: string;
  /** The receipt of the write; of a duplicate, of the write that it repeats. */
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly duplicate: boolean;
  readonly stage: Stage;
  /** Only of a duplicate of an invalidated memory. */
  readonly invalidated?: true;
  /** Only of a duplicate: the members of the request that were given and are not those of the memory. */
  readonly ignored?: readonly Ignored[];
  /** Only of an import whose reader had to assume something. */
  readonly assumed?: Assumed;
  /** Only if sensitive values were replaced: how many of each kind. */
  readonly redacted?: Counts;
  /** Only of a real write of a text that was a test memory: the receipt of the change that makes it a real one. */
  readonly promotion_receipt_id?: string;
}

interface Added extends MemoryAccepted {
  /** Of a new memory that was indexed with its write: whether the workspace has webhooks that wait for it. Absent when a job indexes it. */
  readonly indexed?: { readonly isListenedFor: boolean };
}

type Ignored = 'metadata' | 'source' | 'playground';

/**
 * Admits a memory: one memory.write entry, its content in the vault, and an ingest job through the projections. Refusals
 * come in the order namespace, pause, rule, plan, redaction. A text that is there already is no write: it is never held, and
 * needs no room. If it is there as a test memory only, a real write makes that memory a real one: one memory.promoted entry, which
 * rules can hold like a write.
 * @param text what the search index has of the memory, which is indexed with its append then; null where a job indexes it
 */
export function addMemory(
  world: World,
  caller: Caller,
  memory: NewMemory,
  text: IndexableText | null = null,
): Command<Added> {
  const memoryId = world.id();
  const record = recording(world);
  let request: NewRequest | undefined;
  const hash = contentHash(memory.content);
  const named = memory.namespace === undefined ? [] : [memory.namespace];
  const { id } = caller.actor;
  return {
    actor: caller.actor,
    reads: {
      namespaces: named,
      memories: { ids: [], contentHashes: [hash], namespaces: named },
      governance: {
        rules: true,
        approvals: memory.approvalId === undefined ? [] : [memory.approvalId],
        requester: id === null ? null : { id, holds: 'maybe' },
      },
      ...(text && { listeners: true }),
    },
    decide(state, recordedAt, _head, indexing) {
      const namespace = admittedTo(state, caller, memory.namespace);
      const { rules, plan, meter, approvals } = state.governance;
      const existing = findContent(state.memories, namespace.id, hash);
      const promotes = existing?.playground === true && !memory.playground;
      const asked = existing && !promotes ? null : heldBy(state, caller, namespace, memory);
      if (asked !== null && memory.approvalId === undefined) {
        request ??= newRequest(world);
        return hold(request, approvals, asked, recordedAt);
      }
      const use = asked && requireApproved(approvals.get(memory.approvalId ?? ''), asked, caller.actor, recordedAt);
      if (!existing) requireRoom(plan, meter, recordedAt);
      requireNothingSensitive(rules, memory.sensitive);
      const approval = use && { approval_id: use.id, requested_receipt_id: use.requestedReceiptId };
      if (existing) {
        if (!promotes) return nothing(duplicateOf(existing, memory, null));
        return record.entry(promotionOf(existing, approval), duplicateOf(existing, memory, record.receipt));
      }
      const { receipt } = record;
      const { textConfig } = namespace;
      const isIndexed = text !== null && indexing !== 'later';
      return {
        ...record.effects(writeOf(memoryId, record, namespace, memory, approval), textsOf(memory)),
        indexables: isIndexed ? [{ ...text, textConfig, receiptId: receipt, isListenedFor: state.listeners }] : [],
        answer: ([write]) => ({
          job_id: memoryId,
          memory_id: memoryId,
          receipt_id: receipt,
          receipt_hash: write?.hash ?? '',
          duplicate: false,
          // The stage in which every job begins, also one that ends with the commit.
          stage: 'queued',
          ...(isIndexed && { indexed: { isListenedFor: state.listeners } }),
          ...assumedBy(memory),
          ...redactedIn(memory),
        }),
      };
    },
  };
}

function promotionOf(existing: MemoryState, approval: ApprovalUse | null): Decided {
  const { id: memory_id, namespaceId: namespace_id, receiptId: write_receipt_id } = existing;
  const body = { memory_id, namespace_id, write_receipt_id, ...(approval === null ? {} : { approval }) };
  return { kind: 'memory.promoted', body };
}

function duplicateOf(existing: MemoryState, memory: NewMemory, promotion: string | null): MemoryAccepted {
  const {
    id: memory_id,
    jobId: job_id,
    receiptId: receipt_id,
    receiptHash: receipt_hash,
    stage,
    invalidated,
  } = existing;
  const ignored = ignoredOf(existing, memory);
  return {
    job_id,
    memory_id,
    receipt_id,
    receipt_hash,
    duplicate: true,
    stage,
    ...(invalidated && { invalidated: true }),
    ...(ignored.length > 0 && { ignored }),
    ...assumedBy(memory),
    ...redactedIn(memory),
    ...(promotion !== null && { promotion_receipt_id: promotion }),
  };
}

/** The members that a write of the same text has given in vain. One that it has not given loses nothing. */
function ignoredOf({ fields, playground }: MemoryState, memory: NewMemory): Ignored[] {
  if (fields === null) return [];
  const metadata: unknown = JSON.parse(memory.metadata);
  const gave = !isDeepStrictEqual(metadata, {});
  return [
    ...(gave && !isDeepStrictEqual(metadata, JSON.parse(fields.metadata)) ? (['metadata'] as const) : []),
    ...(memory.source !== null && memory.source !== fields.source ? (['source'] as const) : []),
    ...(memory.playground && !playground ? (['playground'] as const) : []),
  ];
}

function assumedBy({ assumed }: NewMemory): { assumed?: Assumed } {
  return assumed === undefined ? {} : { assumed };
}

/** The caller sent these values, so he may know that they are not stored. */
function redactedIn({ sensitive }: NewMemory): { redacted?: Counts } {
  return Object.keys(sensitive).length === 0 ? {} : { redacted: sensitive };
}

function textsOf({ content, metadata, source, label }: NewMemory): Deposit['texts'] {
  return { content, metadata, ...(source === null ? {} : { source }), ...(label === null ? {} : { label }) };
}

function writeOf(
  memoryId: string,
  { commit }: Recording,
  namespace: NamespaceState,
  memory: NewMemory,
  approval: ApprovalUse | null,
): Decided {
  const { content, metadata, source, label, playground } = memory;
  return {
    kind: 'memory.write',
    body: {
      memory_id: memoryId,
      // A memory that is indexed with its append needs no row of a job, so the job has no id of its own.
      job_id: memoryId,
      namespace_id: namespace.id,
      content_commitment: commit(content),
      metadata_commitment: commit(metadata),
      source_commitment: source === null ? null : commit(source),
      ...(label === null ? {} : { label_commitment: commit(label) }),
      content_bytes: Buffer.byteLength(content),
      playground,
      ...assumedBy(memory),
      ...(approval === null ? {} : { approval }),
    },
  };
}

/** The request that must be approved before the memory may be written; null when no rule holds it. */
function heldBy(state: WorkspaceState, caller: Caller, namespace: NamespaceState, memory: NewMemory): Request | null {
  const { ask_owner: rules } = state.governance.rules;
  if (rules.length === 0) return null;
  const { agent_id, app_id, client_id } = caller.actor;
  const { content, metadata, source, label, playground } = memory;
  const bytes = Buffer.byteLength(content);
  const rule = matchingRule(rules, { namespace_id: namespace.id, agent_id, app_id, client_id, source, bytes });
  if (rule === 0) return null;
  return {
    kind: 'write',
    digest: requestDigest(caller, 'write', [namespace.id, content, metadata, source, label, playground]),
    summary: [
      `Write a memory of ${bytes} bytes to the namespace ${namespace.name}.`,
      ...(metadata === '{}' ? [] : [`It has metadata of ${Buffer.byteLength(metadata)} bytes.`]),
      `Asked by ${askedBy(caller)}.`,
      `Held by rule ${rule}${conditionsOf(rules[rule - 1] ?? {})}.`,
    ].join(' '),
    namespaceIds: [namespace.id],
    held: heldTextOf(memory),
  };
}

/** The chain names them in the actor of the entry too. */
function askedBy({ actor: { type, app_id, agent_id } }: Caller): string {
  const who = type === 'person' ? 'a person who is signed in' : `the app ${app_id ?? 'without a name'}`;
  return agent_id === null ? who : `${who} for the agent ${agent_id}`;
}

/** The fields for which the rule holds it. A source itself is never in the chain. */
function conditionsOf({ namespace_id, agent_id, app_id, source, min_bytes }: AskRule): string {
  const compared = { namespace: namespace_id, agent: agent_id, app: app_id, source, size: min_bytes };
  const named = Object.entries(compared).flatMap(([name, value]) => (value === undefined ? [] : name));
  return `, for its ${named.join(' and ')}`;
}

/**
 * Makes sure that a memory may be written there as things are, for those who must fetch or read it first.
 * @throws Refusal as the write itself would
 */
export async function requireAdmission(
  tx: Transaction,
  caller: Caller,
  namespace: string | undefined,
  now: Date,
): Promise<void> {
  const reads = { namespaces: namespace === undefined ? [] : [namespace], governance: { rules: true } } as const;
  const { state } = await loadState(tx, caller.workspaceId, [reads], now);
  admittedTo(state, caller, namespace);
}

import type { Draft, WriteRules } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { type Caller, reaches, requireNamespaces } from '../domain/caller.js';
import type { Counts } from '../domain/redaction/finding.js';
import {
  contentHash,
  findContent,
  findNamespace,
  type NamespaceState,
  type WorkspaceState,
  wantsNothing,
} from '../domain/state.js';
import { commit } from '../ledger/chain.js';
import { receiptId, type World } from '../world.js';
import type { Command } from './run.js';

/** What is to be stored. Content, metadata and source are redacted already. */
export interface NewMemory {
  readonly content: string;
  /** JSON text as it was sent but for what was redacted. */
  readonly metadata: string;
  readonly source: string | null;
  /** What redaction replaced in the three, for workspaces that refuse it instead. */
  readonly sensitive: Counts;
  /** The file name or the URL that it was imported from. */
  readonly label: string | null;
  readonly namespace: string | undefined;
  readonly playground: boolean;
}

export interface MemoryAccepted {
  readonly job_id: string;
  readonly memory_id: string;
  readonly duplicate: boolean;
  readonly stage: string;
}

/** Admits a memory: one memory.write entry, its content in the vault, and an ingest job through the projections. */
export function addMemory(world: World, caller: Caller, memory: NewMemory): Command<MemoryAccepted> {
  const ids = { memory: world.id(), job: world.id(), receipt: receiptId(world) };
  const salt = world.random(32);
  const hash = contentHash(memory.content);
  return {
    wants: {
      ...wantsNothing,
      namespaces: memory.namespace === undefined ? [] : [memory.namespace],
      contentHashes: [hash],
      rules: true,
    },
    decide(state, recordedAt) {
      const namespace = writableNamespace(state, caller, memory.namespace);
      requireAllowed(state.rules, caller, memory.sensitive);
      const existing = findContent(state, namespace.id, hash);
      if (existing) {
        const { id, jobId, stage } = existing;
        const accepted = { job_id: jobId, memory_id: id, duplicate: true, stage };
        return { drafts: [], deposits: [], erase: [], answer: () => accepted };
      }
      const draft: Draft = {
        kind: 'memory.write',
        receipt_id: ids.receipt,
        recorded_at: recordedAt,
        actor: caller.actor,
        body: {
          memory_id: ids.memory,
          job_id: ids.job,
          namespace_id: namespace.id,
          content_commitment: commit(salt, memory.content),
          metadata_commitment: commit(salt, memory.metadata),
          source_commitment: memory.source === null ? null : commit(salt, memory.source),
          ...(memory.label === null ? {} : { label_commitment: commit(salt, memory.label) }),
          content_bytes: Buffer.byteLength(memory.content),
          playground: memory.playground,
        },
      };
      const { content, metadata, source, label } = memory;
      return {
        drafts: [draft],
        deposits: [{ receiptId: ids.receipt, salt, content, metadata, source, label }],
        erase: [],
        answer: () => ({ job_id: ids.job, memory_id: ids.memory, duplicate: false, stage: 'queued' }),
      };
    },
  };
}

/** @throws Refusal tenant_paused; content_rejected, with what was found by kind and none of it */
function requireAllowed(rules: WriteRules, caller: Caller, kinds: Counts): void {
  if (rules.pause_all && caller.actor.type !== 'person') throw new Refusal('tenant_paused');
  if (rules.sensitive === 'reject' && Object.keys(kinds).length > 0) {
    throw new Refusal('content_rejected', undefined, { kinds });
  }
}

/**
 * The namespace a write goes to. A name or id that the caller does not reach is refused alike whether it belongs to
 * nobody (namespace_not_found) or exists here (namespace_out_of_scope); those of other workspaces are never loaded.
 */
function writableNamespace(state: WorkspaceState, caller: Caller, idOrName: string | undefined): NamespaceState {
  requireNamespaces(caller);
  const namespace = findNamespace(state, idOrName);
  if (!namespace) throw new Refusal(idOrName === undefined ? 'namespace_required' : 'namespace_not_found');
  if (namespace.deleted) throw new Refusal('namespace_deleted');
  if (!reaches(caller, namespace.id)) throw new Refusal('namespace_out_of_scope');
  return namespace;
}

import type { Draft } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import { type Caller, reaches, requireNamespaces } from '../domain/caller.js';
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

export interface NewMemory {
  readonly content: string;
  /** JSON text exactly as it was sent. */
  readonly metadata: string;
  readonly source: string | null;
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
    },
    decide(state, recordedAt) {
      const namespace = writableNamespace(state, caller, memory.namespace);
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

/**
 * The namespace a write goes to. A name or id that the caller does not reach is refused alike whether it belongs to
 * nobody (namespace_not_found) or exists here (namespace_out_of_scope); those of other workspaces are never loaded.
 */
function writableNamespace(state: WorkspaceState, caller: Caller, idOrName: string | undefined): NamespaceState {
  requireNamespaces(caller);
  const namespace = findNamespace(state, idOrName);
  if (!namespace) throw new Refusal(idOrName === undefined ? 'namespace_required' : 'namespace_not_found');
  if (!reaches(caller, namespace.id)) throw new Refusal('namespace_out_of_scope');
  return namespace;
}

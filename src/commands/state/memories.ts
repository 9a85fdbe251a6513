import type { RecordedOf } from '../../../contracts/entries/recorded.js';
import type { Stage } from '../../../contracts/memory.js';
import { type LostRow, lostAmong } from '../../../projections/lost/queries.js';
import { type MemoryRow, memoriesFor } from '../../../projections/memory/state.js';
import { contentHash } from '../../domain/content.js';
import { distinct, type Slice, stepwise, without } from './slice.js';

export interface MemoryState {
  readonly id: string;
  readonly namespaceId: string;
  readonly contentHash: string;
  readonly jobId: string;
  readonly stage: Stage;
  readonly receiptId: string;
  readonly receiptHash: string;
  /** Whether its texts are lost. Such a memory can only be deleted. */
  readonly isLost: boolean;
  readonly invalidated: boolean;
  /** The receipt of the last invalidation, whose reason is in the vault; null if it was never invalidated. */
  readonly invalidationReceiptId: string | null;
  /** Whether it is a test memory. */
  readonly playground: boolean;
  /** Its metadata as JSON text and its source, for a memory that was found by its content; otherwise null. */
  readonly fields: { readonly metadata: string; readonly source: string | null } | null;
}

/** By id. */
export type Memories = ReadonlyMap<string, MemoryState>;

interface MemoryReads {
  readonly ids: readonly string[];
  /** Contents that may already be there, by their SHA-256, in these namespaces (ids or names) and the default one. */
  readonly contentHashes: readonly string[];
  readonly namespaces: readonly string[];
}

/** Memories with these ids, or with these contents. */
export const memories: Slice<MemoryReads, Memories> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const ids = distinct(reads.map((one) => one.ids));
    const rows = await memoriesFor(
      tx,
      workspaceId,
      distinct(reads.map((one) => one.namespaces)),
      ids,
      distinct(reads.map((one) => one.contentHashes)),
    );
    const found = new Map(rows.map(stateOf).map((one) => [one.id, one]));
    const absent = ids.filter((id) => !found.has(id));
    if (absent.length === 0) return found;
    const lost = await lostAmong(tx, workspaceId, absent);
    return new Map([...found, ...lost.map((row) => [row.id, lostStateOf(row)] as const)]);
  },
  evolve: stepwise({
    'memory.write': (before, one) => {
      const memory = written(one);
      return new Map(before).set(memory.id, memory);
    },
    'memory.moved': (before, { entry }) => changed(before, entry.body.memory_id, { namespaceId: entry.body.to }),
    'memory.invalidated': (before, { entry }) =>
      changed(before, entry.body.memory_id, { invalidated: true, invalidationReceiptId: entry.receipt_id }),
    'memory.reinstated': (before, { entry }) => changed(before, entry.body.memory_id, { invalidated: false }),
    'memory.promoted': (before, { entry }) => changed(before, entry.body.memory_id, { playground: false }),
    'memory.delete': (before, { entry }) => without(before, entry.body.memory_id),
  }),
};

function changed(before: Memories, id: string, change: Partial<MemoryState>): Memories {
  const memory = before.get(id);
  return memory ? new Map(before).set(id, { ...memory, ...change }) : before;
}

/** A real memory with this content, or a test memory where there is no real one. */
export function findContent(all: Memories, namespaceId: string, hash: string): MemoryState | undefined {
  let test: MemoryState | undefined;
  for (const memory of all.values()) {
    if (memory.namespaceId !== namespaceId || memory.contentHash !== hash) continue;
    if (!memory.playground) return memory;
    test ??= memory;
  }
  return test;
}

function stateOf(row: MemoryRow): MemoryState {
  return {
    id: row.id,
    namespaceId: row.namespace_id,
    contentHash: row.content_hash,
    jobId: row.job_id,
    stage: row.stage,
    receiptId: row.receipt_id,
    receiptHash: row.receipt_hash,
    isLost: false,
    invalidated: row.invalidated,
    invalidationReceiptId: row.invalidation_receipt_id,
    playground: row.playground,
    fields: row.metadata === null ? null : { metadata: row.metadata, source: row.source },
  };
}

/** A memory without its texts has no job, and no content is equal to it. It can be deleted. */
function lostStateOf(row: LostRow): MemoryState {
  return {
    id: row.id,
    namespaceId: row.namespace_id,
    contentHash: 'lost',
    jobId: '',
    stage: 'failed',
    receiptId: row.receipt_id,
    receiptHash: row.receipt_hash,
    isLost: true,
    invalidated: false,
    invalidationReceiptId: row.invalidation_receipt_id,
    playground: false,
    fields: null,
  };
}

function written(one: RecordedOf<'memory.write'>): MemoryState {
  const {
    entry: { body, receipt_id },
    hash: receiptHash,
    deposit,
    indexable,
  } = one;
  return {
    id: body.memory_id,
    namespaceId: body.namespace_id,
    contentHash: contentHash(deposit?.texts.content ?? ''),
    jobId: body.job_id,
    stage: indexable ? 'done' : 'queued',
    receiptId: receipt_id,
    receiptHash,
    isLost: false,
    invalidated: false,
    invalidationReceiptId: null,
    playground: body.playground,
    fields: deposit && { metadata: deposit.texts.metadata ?? '{}', source: deposit.texts.source ?? null },
  };
}

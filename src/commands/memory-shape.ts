import type { Assumed } from '../../contracts/assumed.js';
import { limits } from '../../contracts/limits.js';
import type { InvalidationRow, MemoryView } from '../../projections/memory/queries.js';
import type { RecallRow } from '../../projections/recalls/queries.js';
import { excerptOf } from '../base/excerpt.js';
import { firstMembers, RawJson } from '../base/json-text.js';
import { memoryStatus } from '../domain/pipeline.js';
import { readEntry } from '../ledger/chain.js';

/**
 * Rows of memories as the interface names them, wherever they are shown. `reached` are the namespaces that the reader may read: a
 * memory of another one is not named.
 */

function provenanceOf({ user_id, agent_id, app_id, run_id }: MemoryView) {
  return { user_id, agent_id, app_id, run_id };
}

export function memoryShape(row: MemoryView, reached: readonly string[]) {
  return {
    id: row.id,
    namespace_id: row.namespace_id,
    content: row.content,
    content_hash: row.content_hash,
    metadata: new RawJson(row.metadata),
    source: row.source,
    provenance: provenanceOf(row),
    playground: row.playground,
    status: memoryStatus(row.stage),
    receipt_id: row.receipt_id,
    invalidated: row.invalidation && invalidationShape(row.invalidation, reached),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...assumedIn(row.entry),
  };
}

/**
 * The assumptions of the reader of an imported memory, from the bytes of its entry. Few entries have them, and parsing each entry
 * of a long list is slow, so the bytes are searched first: a text of a caller has these characters only with a backslash.
 */
export function assumedIn(bytes: Uint8Array): { assumed?: Assumed } {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"assumed":')) return {};
  const entry = readEntry(Buffer.from(bytes).toString('utf8'));
  return entry.kind === 'memory.write' && entry.body.assumed ? { assumed: entry.body.assumed } : {};
}

export function invalidationShape(
  { receipt_id, content: reason, entry: bytes, superseded_in }: InvalidationRow,
  reached: readonly string[],
) {
  const entry = readEntry(Buffer.from(bytes).toString('utf8'));
  if (entry.kind !== 'memory.invalidated') throw new Error(`the receipt ${receipt_id} is of no invalidation`);
  const { user_id, agent_id, app_id, run_id } = entry.actor;
  const by = { user_id, agent_id, app_id, run_id };
  const isNamed = superseded_in === null || reached.includes(superseded_in);
  const superseded_by = isNamed ? (entry.body.superseded_by ?? null) : null;
  return { at: entry.recorded_at, reason, by, receipt_id, superseded_by };
}

export function summaryShape(row: MemoryView, reached: readonly string[]) {
  const { content, status: _, ...rest } = memoryShape(row, reached);
  const metadata = firstMembers(row.metadata, limits.summaryMetadataKeys);
  return {
    ...rest,
    excerpt: excerptOf(content, limits.excerptCharacters),
    metadata: new RawJson(metadata.text),
    metadata_key_count: metadata.total,
    metadata_truncated: metadata.total > limits.summaryMetadataKeys,
  };
}

/** A recall that has the memory among its results, read from the bytes that were hashed. */
export function recallShape(memoryId: string, { receipt_hash, entry: bytes }: RecallRow) {
  const entry = readEntry(Buffer.from(bytes).toString('utf8'));
  if (entry.kind !== 'memory.recall') throw new Error(`the receipt ${entry.receipt_id} is of no recall`);
  const { mode, namespace_ids, results } = entry.body;
  return {
    receipt_id: entry.receipt_id,
    receipt_hash,
    recorded_at: entry.recorded_at,
    rank: 1 + results.findIndex(({ memory_id }) => memory_id === memoryId),
    results: results.length,
    mode,
    namespace_ids,
    actor: entry.actor,
  };
}

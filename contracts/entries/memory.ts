import { z } from 'zod';
import { assumed } from '../assumed.js';
import { approvalUse } from './approval.js';
import { commitment, entryKind } from './kind.js';

const write = z.strictObject({
  memory_id: z.string(),
  job_id: z.string(),
  namespace_id: z.string(),
  content_commitment: commitment,
  metadata_commitment: commitment,
  source_commitment: commitment.nullable(),
  /** Only of a memory that was imported from a file or a URL. */
  label_commitment: commitment.exactOptional(),
  content_bytes: z.int(),
  playground: z.boolean(),
  /** Only of a memory that was imported, when its reader had to assume something. */
  assumed: assumed.readonly().exactOptional(),
  /** Only of a write that was held until it was approved. */
  approval: approvalUse.exactOptional(),
});

const moved = z.strictObject({
  memory_id: z.string(),
  from: z.string(),
  to: z.string(),
  write_receipt_id: z.string(),
  /** Only of a memory that was invalidated at some time: the receipt of the last invalidation. */
  invalidation_receipt_id: z.string().exactOptional(),
});

const invalidated = z.strictObject({
  memory_id: z.string(),
  namespace_id: z.string(),
  /** The commitment to the reason. */
  content_commitment: commitment,
  /** Only if the caller has named one: the memory that is valid instead. */
  superseded_by: z.string().exactOptional(),
  /** Only of a memory that was invalidated and reinstated before: that invalidation, whose reason is destroyed. */
  replaced_receipt_id: z.string().exactOptional(),
});

const reinstated = z.strictObject({
  memory_id: z.string(),
  namespace_id: z.string(),
  invalidation_receipt_id: z.string(),
});

const promoted = z.strictObject({
  memory_id: z.string(),
  namespace_id: z.string(),
  write_receipt_id: z.string(),
  /** Only if the write that promotes was held until it was approved. */
  approval: approvalUse.exactOptional(),
});

const deleted = z.strictObject({
  memory_id: z.string(),
  namespace_id: z.string(),
  write_receipt_id: z.string(),
  write_receipt_hash: z.string(),
  /** Only of a memory that was invalidated at some time: the last invalidation, whose reason is destroyed. */
  invalidation_receipt_id: z.string().exactOptional(),
  /** Only of a bulk delete. */
  approval: approvalUse.exactOptional(),
});

const recall = z.strictObject({
  query_commitment: commitment,
  namespace_ids: z.array(z.string()).readonly(),
  mode: z.string(),
  degraded: z.array(z.string()).readonly(),
  k: z.int(),
  results: z.array(z.strictObject({ memory_id: z.string(), receipt_hash: z.string() }).readonly()).readonly(),
});

export const memoryKinds = {
  'memory.write': entryKind({
    body: write.readonly(),
    audience: 'memory',
    action: true,
    memories: 1,
    namespaces: (body) => [body.namespace_id],
    discloses: 'in bundles',
    vault: (body) => ({
      texts: {
        content: body.content_commitment,
        metadata: body.metadata_commitment,
        source: body.source_commitment,
        label: body.label_commitment ?? null,
      },
    }),
    erases: ({ approval }) => (approval ? [approval.requested_receipt_id] : []),
  }),
  /** A memory was moved to another namespace, because the namespace `from` will be deleted. */
  'memory.moved': entryKind({ body: moved.readonly(), audience: 'memory', namespaces: (body) => [body.to] }),
  'memory.delete': entryKind({
    body: deleted.readonly(),
    audience: 'memory',
    action: true,
    memories: -1,
    namespaces: (body) => [body.namespace_id],
    erases: ({ write_receipt_id, invalidation_receipt_id, approval }) => [
      write_receipt_id,
      ...(invalidation_receipt_id === undefined ? [] : [invalidation_receipt_id]),
      ...(approval && approval.done === undefined ? [approval.requested_receipt_id] : []),
    ],
  }),
  /** A memory is not valid any more: from here on searches leave it out unless they are asked. It can still be read. */
  'memory.invalidated': entryKind({
    body: invalidated.readonly(),
    audience: 'memory',
    namespaces: (body) => [body.namespace_id],
    discloses: 'in bundles',
    vault: (body) => ({ texts: { content: body.content_commitment } }),
    erases: ({ replaced_receipt_id }) => (replaced_receipt_id === undefined ? [] : [replaced_receipt_id]),
  }),
  /** The memory is valid again. The reason of the invalidation stays until the memory is invalidated again or deleted. */
  'memory.reinstated': entryKind({
    body: reinstated.readonly(),
    audience: 'memory',
    namespaces: (body) => [body.namespace_id],
  }),
  /** A test memory is a real one from here on, because its text was written as one. Its other fields stay. */
  'memory.promoted': entryKind({
    body: promoted.readonly(),
    audience: 'memory',
    namespaces: (body) => [body.namespace_id],
    erases: ({ approval }) => (approval ? [approval.requested_receipt_id] : []),
  }),
  'memory.recall': entryKind({
    body: recall.readonly(),
    audience: 'memory',
    namespaces: (body) => body.namespace_ids,
    vault: () => 'salt only',
  }),
};

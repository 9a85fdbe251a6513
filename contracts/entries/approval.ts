import { z } from 'zod';
import { commitment, entryKind } from './kind.js';

/** The approval that allowed a write or a delete. */
export const approvalUse = z
  .strictObject({
    approval_id: z.string(),
    requested_receipt_id: z.string(),
    /** Only of an approval that is used in parts and of which a part is left: how many of its memories were dealt with. */
    done: z.int().exactOptional(),
  })
  .readonly();
export type ApprovalUse = z.output<typeof approvalUse>;

/** The requests that can be held until they are approved. */
const approvalKind = z.enum(['write', 'bulk_delete']);
export type ApprovalKind = z.output<typeof approvalKind>;

const namespaceIds = z.array(z.string()).readonly();

/**
 * What a held write has, in commitments under the salt of the request: they name the parts in which a later write differs. What
 * people decide by is in the vault under another receipt, because it is destroyed with the decision.
 */
const held = z
  .strictObject({
    excerpt_receipt_id: z.string(),
    bytes: z.int(),
    excerpt_commitment: commitment,
    source_commitment: commitment.nullable(),
    metadata_keys_commitment: commitment,
  })
  .readonly();

const requested = z.strictObject({
  approval_id: z.string(),
  approval_kind: approvalKind,
  request_commitment: commitment,
  /** The namespaces that the request is about. */
  namespace_ids: namespaceIds,
  summary: z.string(),
  expires_at: z.string(),
  /**
   * Only of a bulk delete: the ids of its memories, and of a delete by a filter the filter that selected them. They are in the vault until the
   * approval ends. Deletes by ids of earlier versions do not have it.
   */
  selected: z
    .strictObject({ count: z.int(), filter_commitment: commitment.exactOptional(), ids_commitment: commitment })
    .readonly()
    .exactOptional(),
  /** Only of a write. Writes of earlier versions do not have it. */
  held: held.exactOptional(),
});

const excerpt = z.strictObject({
  approval_id: z.string(),
  namespace_ids: namespaceIds,
  /** Of a JSON object with the beginning, the bytes, the source and the keys of the metadata of a held write. */
  excerpt_commitment: commitment,
});

const ended = z.strictObject({
  approval_id: z.string(),
  requested_receipt_id: z.string(),
  /** It expired, or none of the memories is left that it allows to delete. */
  reason: z.enum(['expired', 'nothing_left']),
  namespace_ids: namespaceIds,
  /** Only of a write with an excerpt. */
  excerpt_receipt_id: z.string().exactOptional(),
});

const decided = z.strictObject({
  approval_id: z.string(),
  decision: z.enum(['approved', 'rejected']),
  requested_receipt_id: z.string(),
  namespace_ids: namespaceIds,
  /** Only of a write with an excerpt. */
  excerpt_receipt_id: z.string().exactOptional(),
});

const excerptOf = ({ excerpt_receipt_id: id }: { readonly excerpt_receipt_id?: string }) =>
  id === undefined ? [] : [id];

export const approvalKinds = {
  /** The excerpt of a held write, by which people decide. It is in the vault until they have decided, or the request has expired. */
  'approval.excerpt': entryKind({
    body: excerpt.readonly(),
    audience: 'memory',
    namespaces: (body) => body.namespace_ids,
    vault: (body) => ({ texts: { content: body.excerpt_commitment } }),
  }),
  /** A request was held until a person decides about it. The entry has only a commitment to the request. */
  'approval.requested': entryKind({
    body: requested.readonly(),
    audience: 'memory',
    namespaces: (body) => body.namespace_ids,
    vault: ({ selected }) =>
      selected === undefined
        ? 'salt only'
        : { texts: { content: selected.ids_commitment, filter: selected.filter_commitment ?? null } },
  }),
  /** An approval ended without its last use. The filter and the ids of a bulk delete are destroyed, and the excerpt of a write. */
  'approval.ended': entryKind({
    body: ended.readonly(),
    audience: 'memory',
    namespaces: (body) => body.namespace_ids,
    erases: (body) => [body.requested_receipt_id, ...excerptOf(body)],
  }),
  /** A person approved or rejected a held request. */
  approval: entryKind({
    body: decided.readonly(),
    audience: 'memory',
    action: true,
    namespaces: (body) => body.namespace_ids,
    erases: (body) => [...(body.decision === 'rejected' ? [body.requested_receipt_id] : []), ...excerptOf(body)],
  }),
};

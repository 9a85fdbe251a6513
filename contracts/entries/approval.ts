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
});

const ended = z.strictObject({
  approval_id: z.string(),
  requested_receipt_id: z.string(),
  /** It expired, or none of the memories is left that it allows to delete. */
  reason: z.enum(['expired', 'nothing_left']),
  namespace_ids: namespaceIds,
});

const decided = z.strictObject({
  approval_id: z.string(),
  decision: z.enum(['approved', 'rejected']),
  requested_receipt_id: z.string(),
  namespace_ids: namespaceIds,
});

export const approvalKinds = {
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
  /** An approval of a bulk delete ended without a last delete. Its filter and its ids are destroyed. */
  'approval.ended': entryKind({
    body: ended.readonly(),
    audience: 'memory',
    namespaces: (body) => body.namespace_ids,
    erases: (body) => [body.requested_receipt_id],
  }),
  /** A person approved or rejected a held request. */
  approval: entryKind({
    body: decided.readonly(),
    audience: 'memory',
    action: true,
    namespaces: (body) => body.namespace_ids,
    erases: (body) => (body.decision === 'rejected' ? [body.requested_receipt_id] : []),
  }),
};

import { z } from 'zod';
import { field, listOf } from './input.js';
import { limits } from './limits.js';
import { wholeNumber } from './memory.js';
import { names, namesIncluded } from './names.js';
import { storableText } from './text.js';

const approvalStatuses = ['pending', 'approved', 'rejected', 'expired', 'used'] as const;

export const approval = z
  .object({
    id: z.string(),
    kind: z.enum(['write', 'bulk_delete']),
    status: z.enum(approvalStatuses),
    /** A summary of the request without its content, which is not stored before the approval. */
    summary: z.string(),
    requested_by: z.object({
      type: z.string(),
      id: z.string().nullable(),
      user_id: z.string().nullable(),
      agent_id: z.string().nullable(),
      app_id: z.string().nullable(),
    }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    /** The member who decided. */
    decided_by: z.uuid().nullable(),
    decided_at: z.iso.datetime().nullable(),
    /** Of the decision: what a bulk delete sends as approval_receipt_id. */
    receipt_id: z.string().nullable(),
    selected: z
      .object({ count: z.int(), left: z.int() })
      .exactOptional()
      .describe(
        'Only of a bulk delete: how many memories its filter selected, or its ids name, and how many of them were not dealt with yet.',
      ),
    held: z
      .object({
        excerpt: z.string().describe('The first 280 characters of the text, redacted.'),
        bytes: z.int().describe('The bytes of the whole text.'),
        source: z.string().nullable(),
        metadata_keys: z.array(z.string()).describe('The first 20 keys of the metadata.'),
        metadata_key_count: z.int(),
      })
      .exactOptional()
      .describe(
        'Only of a write that waits, and only for owners and admins: what they decide by. It is destroyed with the decision, or when the request expires.',
      ),
  })
  .meta({
    id: 'Approval',
    description: 'A write or a bulk delete that waits for the decision of a person, and the decision.',
  });

export const namedApproval = approval.extend({ names }).meta({ id: 'NamedApproval' });

export const approvalQuery = { include: namesIncluded } as const;

export const approvalList = z
  .object({ data: z.array(approval), next_cursor: z.string().nullable(), names })
  .meta({ id: 'ApprovalList' });

export const approvalListQuery = {
  include: namesIncluded,
  status: field(
    z.enum(approvalStatuses, `must be one of ${approvalStatuses.join(', ')}`).optional(),
    'invalid_request',
  ),
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

export const bulkDeleteIn = {
  ids: field(
    z
      .array(z.guid('must be a memory id'), 'must be a list of memory ids')
      .min(1, 'must not be empty')
      .describe('Ids of memories; more than 1000 are refused with too_many_ids.'),
    'invalid_ids',
    { most: listOf(limits.bulkDeleteIds, 'too_many_ids') },
  ),
  approval_receipt_id: field(
    storableText.max(limits.idCharacters).optional().describe('The receipt of the decision that allows it.'),
    'invalid_request',
  ),
} as const;

export const bulkDeleted = z
  .object({
    deleted: z.array(z.object({ id: z.uuid(), deleted: z.literal(true), receipt_id: z.string() })),
    not_found: z.array(z.uuid()),
  })
  .meta({ id: 'BulkDeleted' });

import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { storableText } from './text.js';

/** A receipt as the API gives it: the entry that was hashed, its hash, and what anchoring has added since. */
export const receipt = z.object({
  v: z.literal(1),
  workspace_id: z.uuid(),
  receipt_id: z.string(),
  kind: z.string(),
  seq: z.int(),
  hash: z.string(),
  prev_hash: z.string(),
  recorded_at: z.iso.datetime(),
  actor: z.record(z.string(), z.unknown()),
  body: z.record(z.string(), z.unknown()),
  /** How far its checkpoint has come on its way into a block. */
  anchor_state: z.enum(['pending', 'submitted', 'attested', 'confirmed']),
  anchor_tx: z.null(),
  /** An OpenTimestamps file in base64, about the SHA-256 of the text of the checkpoint that covers the receipt. */
  ots_proof: z.base64().nullable(),
  erc8004_emitted_at: z.null(),
});

/** A proof bundle; contracts/proof-bundle.v1.schema.json says all of it. */
export const proofBundle = z.looseObject({ format: z.literal('counterfoil-proof/1'), entry: z.base64() });

export const receiptList = z.object({ data: z.array(receipt), next_cursor: z.string().nullable() });

const moment = z.iso.datetime({ offset: true, message: 'must be an RFC 3339 date-time' });

export const receiptListQuery = {
  kind: field(storableText.optional(), 'invalid_request'),
  agent: field(storableText.optional(), 'invalid_request'),
  since: field(moment.optional(), 'invalid_request'),
  until: field(moment.optional(), 'invalid_request'),
  limit: field(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(limits.listMax))
      .default(limits.listDefault),
    'invalid_request',
  ),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { nextCursor, shortName, wholeNumber } from './memory.js';

export const attestationKeyIn = {
  public_key: field(
    z
      .union([z.string(), z.record(z.string(), z.unknown())], 'must be a public key as text, or a JWK')
      .describe(
        'An Ed25519, P-256 or secp256k1 public key: a JWK, PEM, did:key, multibase, or the 32 bytes of an Ed25519 key in hex or base64url.',
      ),
    'invalid_public_key',
  ),
  name: field(shortName.optional(), 'invalid_name'),
} as const;

export const attestationKey = z
  .object({
    id: z.uuid(),
    name: z.string().nullable(),
    public_key: z.string().describe('Multikey: z and base58btc of the codec and the key.'),
    created_at: z.iso.datetime(),
    receipt_id: z.string(),
  })
  .meta({ id: 'AttestationKey', description: 'A public key that may sign attestations of task receipts.' });

export const attestationKeyList = z
  .object({ data: z.array(attestationKey), next_cursor: nextCursor })
  .meta({ id: 'AttestationKeyList' });

export const attestationKeyDeleted = z
  .object({ id: z.uuid(), deleted: z.literal(true), receipt_id: z.string() })
  .meta({ id: 'AttestationKeyDeleted' });
export type AttestationKeyRemoved = z.output<typeof attestationKeyDeleted>;

export const attestationKeyListQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

import { z } from 'zod';
import { agentIdPattern, proofIn } from './agents.js';
import { field } from './input.js';
import { limits } from './limits.js';
import { anchorTx, receipt } from './receipt.js';
import { isStorable } from './text.js';

const text = z.string();
const count = z.int().min(0);
const rate = z.number().min(0).max(1).nullable();
const hash = z.string().describe('A receipt hash: lowercase hex SHA-256.');
const time = z.iso.datetime();

/** A name is bound in NFC and without spaces around it. An empty one is absent. Characters are code points. */
export const identityName = z
  .string()
  .nullish()
  .transform((name) => name?.normalize('NFC').trim() || null)
  .refine((name) => name === null || [...name].length <= limits.nameCharacters, 'must have at most 64 characters')
  .refine((name) => name === null || (isStorable(name) && !/\p{Cc}/u.test(name)), 'must have no control characters')
  .meta({
    type: ['string', 'null'],
    maxLength: limits.nameCharacters,
    description: 'At most 64 characters after NFC and without the spaces around it, and no control characters.',
  });

const jwk = z.looseObject({}).describe('A JSON Web Key without private members.');

export const identityIn = {
  public_key: field(
    z
      .union([z.string().min(1), jwk])
      .describe(
        'A public key of Ed25519, P-256 or secp256k1 as JWK, SPKI PEM, did:key, multibase (z or u), or for Ed25519 its 32 bytes ' +
          'in hex or base64url; or an address of Ethereum.',
      ),
    'invalid_public_key',
  ),
  vendor: field(identityName, 'invalid_request'),
  agent_name: field(identityName, 'invalid_request'),
  proof: field(proofIn, 'invalid_proof'),
} as const;

export const agentId = z.string().regex(agentIdPattern, 'must be agn_ and 32 characters of a-z and 2-7');

export const identityQuery = {
  id: field(agentId.optional().describe('One record: of this identifier.'), 'invalid_agn_id'),
  page: field(
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
      .transform(Number)
      .default(1)
      .describe('100 records a page.'),
    'invalid_page',
  ),
} as const;

const capability = z.object({
  capability: text,
  symbol: text,
  tasks: count,
  first_seen: time,
  last_seen: time,
});

const attestation = z.object({
  type: text.describe(
    'issued and verified are entries of the registry; others are attestations of public task receipts.',
  ),
  at: time,
  issuer: text.nullable(),
  hash,
  verified: z.boolean(),
});

const month = z.object({ month: text, tasks: count, success_rate: rate });

/** The part of a record that comes from public task receipts. */
const history = z.object({
  handle: text.nullable().describe('Of the newest public task.'),
  capability_registry: z.array(capability).readonly(),
  /** Oldest first. */
  attestations: z.array(attestation).readonly(),
  operating_history: z.object({
    first_seen: time.nullable(),
    last_seen: time.nullable(),
    tasks: count,
    success_rate: rate,
    scope_violation_rate: rate,
    months: z.array(month).readonly(),
    disputes: z.object({ won: count, lost: count, open: count }),
  }),
});
export type IdentityHistory = Readonly<z.output<typeof history>>;

export const identityRecord = z
  .object({
    agn_id: text,
    handle: history.shape.handle,
    vendor: text.nullable(),
    agent_name: text.nullable(),
    public_key: text.nullable().describe('Multikey, or eip155: and an address of Ethereum.'),
    status: z
      .enum(['verified', 'issued', 'unverified'])
      .describe('verified: a challenge was signed with the key. unverified: this registry has no such identity.'),
    issued_at: time.nullable(),
    capability_registry: history.shape.capability_registry,
    attestation_chain: history.shape.attestations,
    operating_history: history.shape.operating_history,
    provenance: z.object({
      registry: text.nullable().describe('The origin of the checkpoints of this service.'),
      receipt_id: text.nullable(),
      receipt_hash: hash.nullable(),
    }),
    ledger_anchor: z
      .object({
        origin: text.nullable(),
        checkpoint_size: count.nullable(),
        ots: receipt.shape.anchor_state.nullable(),
        ethereum: anchorTx.nullable(),
        erc8004: z
          .object({ chain_id: count, agent_id: text })
          .nullable()
          .describe(
            'The agent of ERC-8004 that the identity is linked to: by the oldest link in force, where several workspaces have one.',
          ),
      })
      .describe('The checkpoint that covers the issuance, and its anchors.'),
  })
  .meta({
    id: 'IdentityRecord',
    description: 'An identity. Names are as the submitters wrote them; only the holding of the key is ever checked.',
  });
export type IdentityRecord = z.output<typeof identityRecord>;

export const identityList = z.array(identityRecord).meta({ id: 'IdentityList' });

export const identityIssued = z
  .object({
    ok: z.literal(true),
    agn_id: text,
    idempotent: z.literal(true),
    deterministic: z.literal(true),
    persisted: z.literal(true),
    created: z.boolean().describe('Whether this request has issued the identity.'),
    record: identityRecord,
  })
  .meta({ id: 'IdentityIssued' });

export const challenge = z
  .object({ challenge: text, expires_at: time })
  .meta({ id: 'Challenge', description: 'A text to sign, once, within 10 minutes.' });

/** An entry of the registry. It never changes; the state of its anchors is in its proof. */
export const registryReceipt = receipt
  .omit({ anchor_state: true, anchor_tx: true, ots_proof: true, erc8004_emitted_at: true })
  .meta({ id: 'RegistryReceipt', description: 'A public entry of the registry as it was hashed.' });

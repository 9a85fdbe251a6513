import { z } from 'zod';

const hex = (digits: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${digits}}$`));

/** An anchor on Ethereum, in which a log of the anchoring contract holds the SHA-256 of a checkpoint's text. */
export const anchorTx = z
  .object({
    chain: z.string().describe('The chain as CAIP-2 names it: `eip155:1` is Ethereum.'),
    tx_hash: hex(64),
    block_number: z.int(),
    block_hash: hex(64),
    state: z.enum(['mined', 'final']).describe('`mined`: the block may still be replaced by another one.'),
  })
  .meta({ id: 'AnchorTx', description: 'A transaction on Ethereum that holds a checkpoint over the receipt.' });

/** A receipt as the API gives it: the entry that was hashed, its hash, and what anchoring has added since. */
export const receipt = z
  .object({
    v: z.literal(1),
    workspace_id: z.uuid(),
    id: z.string().describe('The id that the service has given it.'),
    receipt_id: z.string().describe('The same id. Only task receipts have another one here: that of their client.'),
    kind: z
      .string()
      .describe('The kind of entry: memory.write, memory.delete, memory.recall, namespace.created and others.'),
    seq: z.int().describe('Its position in the chain of the workspace, from 1 and without gaps.'),
    hash: z.string().describe('SHA-256 of a zero byte and the canonical entry, lowercase hex: the receipt hash.'),
    prev_hash: z.string().describe('The hash of the previous entry.'),
    recorded_at: z.iso.datetime(),
    actor: z.record(z.string(), z.unknown()).describe('Who did it.'),
    body: z
      .record(z.string(), z.unknown())
      .describe('The details of the action. Content and queries are present as commitments only.'),
    anchor_state: z
      .enum(['pending', 'submitted', 'attested', 'confirmed'])
      .describe('The state of the timestamp of its checkpoint.'),
    anchor_tx: anchorTx
      .nullable()
      .describe('The first anchor on Ethereum of a checkpoint that covers the receipt; null before there is one.'),
    ots_proof: z
      .base64()
      .nullable()
      .describe('An OpenTimestamps file about the SHA-256 of the text of the checkpoint that covers the receipt.'),
    erc8004_emitted_at: z.iso
      .datetime()
      .nullable()
      .describe('When feedback that counts the receipt was given in the registry of ERC-8004; null before.'),
  })
  .meta({ id: 'Receipt', description: 'An entry of the ledger as it was hashed, and what anchoring has added.' });

/** A proof bundle; contracts/proof-bundle.v1.schema.json says all of it. */
export const proofBundle = z
  .looseObject({
    format: z.literal('counterfoil-proof/1'),
    entry: z.base64().describe('The canonical bytes of the entry.'),
    unplaced: z
      .string()
      .optional()
      .describe('Why the bundle has no place in the transparency log, if the service knows.'),
  })
  .meta({ id: 'ProofBundle', description: 'Everything that is needed to check a receipt offline.' });

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'takes 64 lowercase hex digits');

/** A question to the public route that checks bundles, instead of a bundle. */
export const receiptQuestion = z.strictObject({ receipt_hash: hash }).meta({ id: 'ReceiptQuestion' });

export const receiptKnown = z
  .object({
    receipt_hash: hash,
    known: z.boolean().describe('Whether the ledger has a receipt with that hash.'),
    recorded_at: z.iso.datetime().optional(),
    anchor_state: receipt.shape.anchor_state.optional(),
  })
  .meta({ id: 'ReceiptKnown' });

const text = z.string();

/** The fields of a task receipt as its entry has them, with what an offline check can say about them. */
const verifiedTask = z
  .object({
    receipt_id: text.describe('The id that the platform has chosen.'),
    agent_handle: text,
    platform: text,
    model: text.nullable(),
    session_id: text.nullable(),
    trace_id: text.nullable(),
    status: text,
    started_at: text,
    ended_at: text,
    cost_usd: z.number().nullable(),
    tools: z
      .array(z.object({ tool: text, calls: z.int(), failed: z.int() }))
      .describe('The tools that were called, in the order of their first call.'),
    scope_violations: z.array(text).nullable(),
    attestations: z
      .array(z.object({ type: text.nullable(), state: text, signer: text.nullable() }))
      .describe('The states that the service has recorded, and the identity or key by which it has checked each.'),
    market: z.record(z.string(), z.unknown()).nullable(),
    has_private_text: z.boolean(),
    private_text: text
      .nullable()
      .describe('Null when the bundle does not show the private text, or shows another than the entry commits to.'),
  })
  .meta({ id: 'VerifiedTask' });

/** The same of a decision or a handoff. */
const verifiedDecision = z
  .object({
    namespace_id: text,
    to_agent: text.nullable().describe('The identity that takes over; null for a decision.'),
    refs: z.array(text),
    private_text: text
      .nullable()
      .describe('Null when the bundle does not show the text, or shows another than the entry commits to.'),
  })
  .meta({ id: 'VerifiedDecision' });

const claimName = z.enum([
  'entry',
  'content',
  'inclusion',
  'checkpoint',
  'consistency',
  'opentimestamps',
  'ethereum',
  'witnesses',
  'range',
]);
const claimState = z.enum(['verified', 'failed', 'not checked', 'absent']);

/** The content of a receipt for people. */
const story = z
  .object({
    sentence: text.describe('Who did what, as the entry says it.'),
    facts: z.array(
      z.object({
        name: text,
        values: z.array(text).describe('Each on one line and of limited length.'),
        claim: claimName.describe('The claim that it depends on.'),
        state: claimState.describe('The state of that claim.'),
      }),
    ),
  })
  .meta({ id: 'ReceiptStory' });

/** Fields that reports of earlier versions do not have. */
const content = {
  actor: z
    .record(z.string(), text.nullable())
    .optional()
    .describe('Who did it: type, id, user_id, agent_id, app_id, run_id and via.'),
  body: z.record(z.string(), z.unknown()).optional().describe('The body of the entry, as it is.'),
  texts: z
    .object({
      content: text.nullable(),
      metadata: text.nullable(),
      source: text.nullable(),
      query: text.nullable().optional().describe('Of a search, if the bundle shows its query.'),
    })
    .nullable()
    .optional()
    .describe('The texts that the bundle shows; null unless the claim content is verified.'),
  story: story.optional(),
};

export const proofReport = z
  .object({
    receipt: z
      .object({
        receipt_id: text,
        kind: text,
        workspace_id: z.uuid(),
        seq: z.int(),
        recorded_at: z.iso.datetime(),
        hash,
        ...content,
        task: verifiedTask
          .nullable()
          .optional()
          .describe('Of a task receipt its fields; null when they cannot be read. Absent for other kinds.'),
        decision: verifiedDecision.nullable().optional().describe('The same of a decision or a handoff.'),
      })
      .nullable()
      .describe('The content of the entry; null if it cannot be read.'),
    claims: z.array(
      z.object({
        name: claimName,
        state: claimState,
        text: text.describe('What the check has shown, or what is wrong.'),
        details: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  })
  .meta({ id: 'ProofReport', description: 'Each claim of the bundle, and the result of its check.' });

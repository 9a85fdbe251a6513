import { z } from 'zod';
import { entryKind } from './kind.js';

/** `leaf` is the leaf of the transparency log as canonical JSON, `index` its index in the log. */
const leafAt = z.strictObject({ index: z.int(), leaf: z.string() }).readonly();

const heads = z
  .array(z.strictObject({ workspace_id: z.string(), size: z.int(), leaf: z.string() }).readonly())
  .readonly();

/** Entries without a type are about OpenTimestamps, which anchors in Bitcoin. */
const type = z.enum(['opentimestamps']).optional();
const ethereum = z.enum(['ethereum']);

const confirmed = z.strictObject({
  type,
  size: z.int(),
  height: z.int(),
  /** Hex. */
  header: z.string(),
  block_hash: z.string(),
  block_time: z.string(),
});

/** A log of the anchoring contract in a block of Ethereum. */
const mined = z.strictObject({
  type: ethereum,
  size: z.int(),
  /** SHA-256 of the checkpoint's text, in hex. */
  digest: z.string(),
  chain_id: z.int(),
  /** Addresses and hashes begin with `0x` and are in lowercase. */
  contract: z.string(),
  tx_hash: z.string(),
  block_number: z.int(),
  block_hash: z.string(),
  block_time: z.string(),
});

/** The proof of the log without a node: the header of its block, and its receipt under the root that the header names. */
const logProof = z.strictObject({
  /** RLP in hex with `0x`, as the receipt and the nodes of the trie. */
  header: z.string(),
  tx_index: z.int(),
  log_index: z.int(),
  /** As it is in the trie: with the type of the transaction before it. */
  receipt: z.string(),
  nodes: z.array(z.string()).readonly(),
});

/** SHA-256 and roots of trees. */
const hexHash = z.string().regex(/^[0-9a-f]{64}$/);

/** `turn` is SHA-256 of the new turn, `size` the number of leaves that its holder may sign first. */
const turn = z
  .strictObject({
    turn: hexHash,
    size: z.int().nonnegative(),
    /** Of these leaves. It is absent for a signature, whose leaves are appended together with the turn. */
    root: hexHash.exactOptional(),
    reason: z.enum(['signing', 'hand-over', 'take-over']),
  })
  .readonly();

const ofTheLog = { chain: 'log', audience: 'installation' } as const;

/** Changes of the transparency log. `size` is the number of leaves under the checkpoint that an entry is about. */
export const logKinds = {
  /** A signing key enters the log before its first use. */
  'log.key_added': entryKind({ ...ofTheLog, body: leafAt }),
  /** A signing key was retired, or one that should not be there was disowned; `leaf` says which. */
  'log.key_ended': entryKind({ ...ofTheLog, body: leafAt }),
  /**
   * The log in this store has lost leaves that were signed, and has ended; another one begins. `log` is the number of the new log, whose
   * leaves 0 and 1 are `key` and `leaf`, the succession. Of the ended log the first `kept` leaves stay public.
   */
  'log.succeeded': entryKind({
    ...ofTheLog,
    body: z
      .strictObject({
        log: z.int(),
        key: z.string(),
        leaf: z.string(),
        ended: z.strictObject({ log: z.int(), kept: z.int() }).readonly(),
      })
      .readonly(),
  }),
  /** Heads of workspaces enter the log from leaf `from` on. */
  'log.heads_added': entryKind({ ...ofTheLog, body: z.strictObject({ from: z.int(), heads }).readonly() }),
  /** From here on only the directory of keys that knows the preimage of `turn` signs the log (`src/tlog/turn.ts`). */
  'log.turn': entryKind({ ...ofTheLog, body: turn }),
  /** A signed note over the log; `root` in hex. */
  'checkpoint.signed': entryKind({
    ...ofTheLog,
    body: z.strictObject({ size: z.int(), root: z.string(), note: z.string() }).readonly(),
  }),
  /** The same note with the cosignatures of witnesses. */
  'checkpoint.cosigned': entryKind({
    ...ofTheLog,
    body: z.strictObject({ size: z.int(), note: z.string(), witnesses: z.array(z.string()).readonly() }).readonly(),
  }),
  /** A timestamp of the SHA-256 of a checkpoint's text, as an .ots file in base64: what calendars have promised. */
  'anchor.submitted': entryKind({
    ...ofTheLog,
    body: z.strictObject({ type, size: z.int(), digest: z.string(), ots: z.string() }).readonly(),
  }),
  /** The same timestamp with the attestation of a Bitcoin block in it. */
  'anchor.attested': entryKind({
    ...ofTheLog,
    body: z.strictObject({ type, size: z.int(), ots: z.string(), heights: z.array(z.int()).readonly() }).readonly(),
  }),
  /** The block was seen, and it holds the timestamp. */
  'anchor.confirmed': entryKind({ ...ofTheLog, body: confirmed.readonly() }),
  /** A block of Ethereum holds the digest of a checkpoint's text. The block may still be replaced by another. */
  'anchor.mined': entryKind({ ...ofTheLog, body: mined.readonly() }),
  /** That block is final. The proof is null where the node could not give what it is made of. */
  'anchor.final': entryKind({
    ...ofTheLog,
    body: z
      .strictObject({ type: ethereum, size: z.int(), block_hash: z.string(), proof: logProof.readonly().nullable() })
      .readonly(),
  }),
  /** A block that held the anchor is no longer in the chain of Bitcoin or Ethereum. */
  'anchor.lost': entryKind({
    ...ofTheLog,
    body: z
      .strictObject({
        type: z.enum(['opentimestamps', 'ethereum']).optional(),
        size: z.int(),
        height: z.int(),
        block_hash: z.string(),
      })
      .readonly(),
  }),
};

import { z } from 'zod';
import { commitment, entryKind } from './kind.js';
import { keyProof } from './registry.js';

const ids = z.array(z.string()).readonly();

const keyCreated = z.strictObject({
  key_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).readonly(),
  namespace_ids: ids,
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  secret_commitment: commitment,
  /**
   * The receipts of governance that the key sees: those that its scopes open, or all. Absent of keys from before there was the scope
   * receipts.read: without scopes they see all, while they are bound to every namespace from before.
   */
  receipts: z.enum(['by scope', 'all']).exactOptional(),
});

const agentLinked = z.strictObject({
  link_id: z.string(),
  agent_id: z.string(),
  name: z.string().nullable(),
  token_commitment: commitment,
  /** The handle under which the agent submits task receipts here. */
  handle: z.string().exactOptional(),
  /**
   * Shows that the holder of the identity's key agreed to this workspace and handle. From this entry on, task receipts
   * of the handle count as those of the identity.
   */
  proof: keyProof.exactOptional(),
  /** The vendor of the identity, of a link with proof. Task receipts that name no vendor have this one. */
  vendor: z.string().nullable().exactOptional(),
});

const erc8004Linked = z.strictObject({
  link_id: z.string(),
  /** The identity of the link, `agn_…`. */
  agn_id: z.string(),
  chain_id: z.int(),
  /** The identity registry, as `0x` and 40 lowercase hex digits. */
  registry: z.string(),
  /** The number of the agent in that registry, in decimal digits. */
  agent_id: z.string(),
  /** The consent to the link: a signature of the agent's owner or wallet, or its registration file, which names the identity. */
  proof: z.enum(['owner', 'wallet', 'registration']),
  /** The account that signed, as `0x` and 40 lowercase hex digits; null for a registration file. */
  account: z.string().nullable(),
});

const erc8004Emitted = z.strictObject({
  agn_id: z.string(),
  epoch: z.string(),
  /** The first and the last receipt of this workspace that the feedback counts, by their positions. */
  from_seq: z.int(),
  to_seq: z.int(),
  count: z.int(),
  /** The root over the counted receipts, as in the file of the feedback, in hex. */
  root: z.string(),
  tx_hash: z.string(),
});

const attestationKeyAdded = z.strictObject({
  key_id: z.string(),
  name: z.string().nullable(),
  /** Multikey: `z` and base58btc of the codec and the key. */
  public_key: z.string(),
});

const agentKeyCreated = z.strictObject({
  key_id: z.string(),
  /** The link of the agent that the key is for. The key ends with the link. */
  link_id: z.string(),
  agent_id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).readonly(),
  namespace_ids: ids,
  secret_commitment: commitment,
});

const webhookCreated = z.strictObject({
  webhook_id: z.string(),
  agent_id: z.string(),
  name: z.string().nullable(),
  /** The namespaces whose memories the webhook reports, while its creator reaches them. Null means all namespaces of the workspace. */
  namespace_ids: ids.nullable(),
  /** The commitment to the address, the secret and the pattern. */
  target_commitment: commitment,
});

/**
 * API keys, linked agents and their keys, keys that sign attestations, and webhooks: what may call this workspace, whom it
 * believes, and what it calls.
 */
export const accessKinds = {
  'key.created': entryKind({
    body: keyCreated.readonly(),
    audience: 'governance',
    namespaces: (body) => body.namespace_ids,
    vault: (body) => ({ texts: { content: body.secret_commitment } }),
  }),
  'key.bound': entryKind({
    body: z.strictObject({ key_id: z.string(), namespace_ids: ids }).readonly(),
    audience: 'governance',
    namespaces: (body) => body.namespace_ids,
  }),
  'key.revoked': entryKind({
    body: z.strictObject({ key_id: z.string(), created_receipt_id: z.string() }).readonly(),
    audience: 'governance',
    erases: (body) => [body.created_receipt_id],
  }),
  /** From here on records of Kafka that name the key are signed with this secret, and with no earlier one. */
  'key.kafka_secret_made': entryKind({
    body: z.strictObject({ key_id: z.string(), secret_id: z.string() }).readonly(),
    audience: 'governance',
  }),
  /** From here on requests to this workspace may name the agent, by its token or by its id. */
  'agent.linked': entryKind({
    body: agentLinked.readonly(),
    audience: 'governance',
    vault: (body) => ({ texts: { content: body.token_commitment } }),
  }),
  'agent.unlinked': entryKind({
    body: z.strictObject({ link_id: z.string(), agent_id: z.string(), linked_receipt_id: z.string() }).readonly(),
    audience: 'governance',
    erases: (body) => [body.linked_receipt_id],
  }),
  /** From here on feedback about the agent is given in the registry of ERC-8004. */
  'agent.erc8004_linked': entryKind({ body: erc8004Linked.readonly(), audience: 'governance' }),
  'agent.erc8004_unlinked': entryKind({
    body: z.strictObject({ link_id: z.string(), agn_id: z.string() }).readonly(),
    audience: 'governance',
  }),
  /** Receipts of this workspace were counted in feedback that is on the chain. */
  'erc8004.emitted': entryKind({ body: erc8004Emitted.readonly(), audience: 'governance' }),
  /** A key with which an agent calls over MCP. */
  'agent_key.created': entryKind({
    body: agentKeyCreated.readonly(),
    audience: 'governance',
    namespaces: (body) => body.namespace_ids,
    vault: (body) => ({ texts: { content: body.secret_commitment } }),
  }),
  'agent_key.bound': entryKind({
    body: z.strictObject({ key_id: z.string(), namespace_ids: ids }).readonly(),
    audience: 'governance',
    namespaces: (body) => body.namespace_ids,
  }),
  'agent_key.revoked': entryKind({
    body: z.strictObject({ key_id: z.string(), created_receipt_id: z.string() }).readonly(),
    audience: 'governance',
    erases: (body) => [body.created_receipt_id],
  }),
  /** From here on attestations of task receipts may be signed with this key. */
  'attestation_key.added': entryKind({ body: attestationKeyAdded.readonly(), audience: 'governance' }),
  'attestation_key.removed': entryKind({
    body: z.strictObject({ key_id: z.string() }).readonly(),
    audience: 'governance',
  }),
  'webhook.created': entryKind({
    body: webhookCreated.readonly(),
    audience: 'governance',
    requires: (body) => body.namespace_ids ?? [],
    vault: (body) => ({ texts: { content: body.target_commitment } }),
  }),
  'webhook.deleted': entryKind({
    body: z.strictObject({ webhook_id: z.string(), agent_id: z.string(), created_receipt_id: z.string() }).readonly(),
    audience: 'governance',
    erases: (body) => [body.created_receipt_id],
  }),
};

import { z } from 'zod';
import { entryKind } from './kind.js';

/** Shows that a key was held when the challenge was signed. The signature is base64url. */
export const keyProof = z.strictObject({ challenge: z.string(), signature: z.string() }).readonly();
export type KeyProof = z.output<typeof keyProof>;

/** The identifier of an agent is computed from this. Absent members are null. */
const binding = z
  .strictObject({
    agent_name: z.string().nullable(),
    /** Multikey, or `eip155:` and an address for an account of Ethereum. */
    public_key: z.string(),
    vendor: z.string().nullable(),
  })
  .readonly();
export type Binding = z.output<typeof binding>;

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A day of UTC and its indices. Late receipts of the day change nothing of it. */
const close = z
  .strictObject({
    day: z.iso.date(),
    /** The level of each index at the end of the day, with at most 6 decimals; null before its base day. */
    levels: z.record(z.string(), z.number().nullable()).readonly(),
    /** The number of public receipts of the day that were recorded in time. */
    receipts: z.int().min(0),
    /** The root (RFC 6962) over their hashes in recorded order. */
    root: hash,
    /** The SHA-256 of the public file from which the levels can be computed. */
    facts_hash: hash,
  })
  .readonly();
export type CloseBody = z.output<typeof close>;

const ofTheRegistry = { chain: 'registry', audience: 'public' } as const;

/** The public facts of the installation that belong to no workspace. */
export const registryKinds = {
  'identity.issued': entryKind({ ...ofTheRegistry, body: z.strictObject({ agn_id: z.string(), binding }).readonly() }),
  /** The holder of the identity's key has proved it. */
  'identity.verified': entryKind({
    ...ofTheRegistry,
    body: z.strictObject({ agn_id: z.string(), proof: keyProof }).readonly(),
  }),
  'index.closed': entryKind({ ...ofTheRegistry, body: close }),
};

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

const ofTheRegistry = { chain: 'registry', audience: 'public' } as const;

/** The public facts of the installation that belong to no workspace. */
export const registryKinds = {
  'identity.issued': entryKind({ ...ofTheRegistry, body: z.strictObject({ agn_id: z.string(), binding }).readonly() }),
  /** The holder of the identity's key has proved it. */
  'identity.verified': entryKind({
    ...ofTheRegistry,
    body: z.strictObject({ agn_id: z.string(), proof: keyProof }).readonly(),
  }),
};

import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';

/** A number of 256 bits in decimal digits, without zeros before it. */
const agentNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, { error: 'must be a whole number in decimal digits', abort: true })
  .refine((digits) => BigInt(digits) < 2n ** 256n, 'must be below 2^256');

const agentNumberIn = z.union([agentNumber, z.int().min(0).transform(String)], {
  error: 'must be a whole number below 2^256 in decimal digits, as a string or, up to 2^53 - 1, as a number',
});

const proof = z
  .union(
    [
      z.strictObject({
        signature: z
          .string()
          .max(limits.proofCharacters)
          .regex(/^0x([0-9a-fA-F]{2})+$/)
          .describe('The signature of the text of the link under EIP-191, as 0x and hex digits.'),
      }),
      z.strictObject({
        registration: z
          .literal(true)
          .describe('The registration file of the agent names the identity: the service reads it now.'),
      }),
    ],
    {
      error:
        'must be {"signature": "0x…"} with 65 bytes in hex, or {"registration": true}. An owner that is a contract (EIP-1271) uses the latter',
    },
  )
  .meta({ id: 'Erc8004Proof', description: 'Shows that the agent of ERC-8004 agrees to the link.' });

export const erc8004In = {
  agent_id: field(agentNumberIn.describe('The number of the agent in the identity registry.'), 'invalid_request'),
  proof: field(proof, 'invalid_proof'),
} as const;

const erc8004Agent = z
  .object({
    chain_id: z.int(),
    registry: z.string().describe('The identity registry: 0x and 40 lowercase hex digits.'),
    agent_id: z.string().describe('The number of the agent there, in decimal digits.'),
  })
  .meta({ id: 'Erc8004Agent', description: 'An agent in an identity registry of ERC-8004.' });

export const erc8004Link = z
  .object({
    id: z.uuid().describe('Of the link of the agent to the workspace.'),
    agent_id: z.string().describe('The identity that is linked, agn_….'),
    erc8004: erc8004Agent,
    proof: z
      .enum(['owner', 'wallet', 'registration'])
      .describe('Who has agreed: the account that owned the agent, its wallet, or its registration file.'),
    account: z.string().nullable().describe('The account that signed; null for a registration file.'),
    receipt_id: z.string().describe('Of the entry that made the link.'),
  })
  .meta({ id: 'Erc8004Link', description: 'The link of an agent of the workspace to an agent of ERC-8004.' });

export const erc8004Unlinked = z
  .object({ id: z.uuid(), unlinked: z.literal(true), receipt_id: z.string() })
  .meta({ id: 'Erc8004Unlinked' });
export type Erc8004Unlinked = z.output<typeof erc8004Unlinked>;

/** The type of registration files, as ERC-8004 names it. */
export const registrationType = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1';

export const registrationFile = z
  .object({
    type: z.literal(registrationType),
    name: z.string(),
    description: z.string(),
    services: z
      .array(z.object({ name: z.string(), endpoint: z.string(), version: z.string().exactOptional() }))
      .readonly(),
    x402Support: z.literal(false),
    active: z.boolean(),
    registrations: z
      .array(
        z.object({
          agentId: z.union([z.int(), z.string()]).describe('A number; a string of decimal digits above 2^53 - 1.'),
          agentRegistry: z.string().describe('eip155:, the id of the chain, a colon and the address of the registry.'),
        }),
      )
      .readonly(),
    supportedTrust: z.array(z.string()).readonly(),
    counterfoil: z.string().nullable().describe('The identity that the file is about; null for the service itself.'),
    status: z
      .enum(['verified', 'issued', 'unverified'])
      .nullable()
      .describe('As in the record of the identity; null for the service itself.'),
  })
  .meta({ id: 'AgentRegistration', description: 'A registration file of ERC-8004.' });
export type RegistrationFile = z.output<typeof registrationFile>;

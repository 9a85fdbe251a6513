import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { shortName, wholeNumber } from './memory.js';

const short = z.string().min(1).max(limits.proofCharacters);

/** The proof that a key is held, as callers send it. */
export const proofIn = z
  .strictObject({
    challenge: short.describe('From GET /v1/agent-id/challenge.'),
    signature: short.describe('Base64url without padding.'),
  })
  .meta({
    id: 'KeyProof',
    description: 'Shows that the private key is held. The guide to identities says which bytes are signed.',
  })
  .nullish();

/** As identities are issued: 160 bits in the lowercase alphabet of base32. */
export const agentIdPattern = /^agn_[a-z2-7]{32}$/;

/** Of agents in task receipts. */
export const handlePattern = /^@[a-z0-9-]{2,32}$/;

export const agentIn = {
  agent_id: field(z.string().regex(agentIdPattern, 'must be agn_ and 32 characters of a-z and 2-7'), 'invalid_request'),
  handle: field(
    z
      .string()
      .regex(handlePattern, 'must be @ and 2 to 32 characters of a-z, 0-9 and -')
      .nullish()
      .describe('The handle under which the agent submits task receipts to this workspace.'),
    'invalid_request',
  ),
  name: field(shortName.optional(), 'invalid_name'),
  proof: field(
    proofIn.describe('Shows that the holder of the identity’s key agrees to this workspace and handle.'),
    'invalid_proof',
  ),
} as const;

/** `id` is of the link: an agent that is linked again gets another one. */
const agent = z
  .object({
    id: z.uuid(),
    agent_id: z.string(),
    handle: z.string().nullable(),
    name: z.string().nullable(),
    proved: z
      .boolean()
      .describe('Whether the public task receipts of the handle count as those of the identity, since it was linked.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Agent', description: 'The link of an agent to the workspace.' });

const whoSees = 'Only for an owner or admin.';

/** An agent as everyone in the workspace sees it. */
const agentListed = agent
  .extend({
    proved: agent.shape.proved.exactOptional().describe(`${agent.shape.proved.description} ${whoSees}`),
    created_at: agent.shape.created_at.exactOptional().describe(whoSees),
    keys: z.int().exactOptional().describe(`How many agent keys it has. ${whoSees}`),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .exactOptional()
      .describe(`When one of these keys was last used, to about a minute; null if none was. ${whoSees}`),
  })
  .meta({ id: 'AgentListed', description: 'The link of an agent to the workspace, as far as the caller may see it.' });

/** `token` is shown once, and null to a request that is repeated under its Idempotency-Key. */
export const agentLinked = agent
  .extend({ receipt_id: z.string(), token: z.string().nullable() })
  .meta({ id: 'AgentLinked' });
export const agentList = z
  .object({ data: z.array(agentListed), next_cursor: z.string().nullable() })
  .meta({ id: 'AgentList' });
export const agentUnlinked = z
  .object({ id: z.uuid(), unlinked: z.literal(true), receipt_id: z.string() })
  .meta({ id: 'AgentUnlinked' });
export type AgentUnlinked = z.output<typeof agentUnlinked>;

export const agentListQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

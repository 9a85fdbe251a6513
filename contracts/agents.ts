import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { shortName, wholeNumber } from './memory.js';

/** As identities are issued: 160 bits in the lowercase alphabet of base32. */
export const agentIdPattern = /^agn_[a-z2-7]{32}$/;

export const agentIn = {
  agent_id: field(z.string().regex(agentIdPattern, 'must be agn_ and 32 characters of a-z and 2-7'), 'invalid_request'),
  name: field(shortName.optional(), 'invalid_name'),
} as const;

/** `id` is of the link: an agent that is linked again gets another one. */
export const agent = z
  .object({
    id: z.uuid(),
    agent_id: z.string(),
    name: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Agent', description: 'The link of an agent to the workspace.' });

/** `token` is shown once, and null to a request that is repeated under its Idempotency-Key. */
export const agentLinked = agent
  .extend({ receipt_id: z.string(), token: z.string().nullable() })
  .meta({ id: 'AgentLinked' });
export const agentList = z
  .object({ data: z.array(agent), next_cursor: z.string().nullable() })
  .meta({ id: 'AgentList' });
export const agentUnlinked = z
  .object({ id: z.uuid(), unlinked: z.literal(true), receipt_id: z.string() })
  .meta({ id: 'AgentUnlinked' });

export const agentListQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { cursor, nextCursor, wholeNumber } from './memory.js';

/** The scopes of OAuth grants and access tokens, as clients ask for them. */
export const grantScopes = ['mcp:tools', 'memory.read', 'memory.write'] as const;
export type GrantScope = (typeof grantScopes)[number];

/** The access that a person allows an OAuth client. */
const grant = z
  .object({
    id: z.string(),
    client_id: z.string(),
    client_name: z.string().nullable().describe('The name that the client gives itself, which is not verified.'),
    redirect_host: z.string().describe('The host, or the private scheme, that the client receives its codes at.'),
    agent_id: z.string().nullable().describe('The agent in whose name the client acts; null for none.'),
    scopes: z
      .array(z.enum(grantScopes))
      .describe('As the person allowed them. Of a person who may only read now, the client reads only.'),
    namespace_ids: z.array(z.uuid()).describe('The namespaces that the client reaches.'),
    person: z.object({ id: z.uuid(), email: z.string() }).describe('The member who allowed it.'),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('To about a minute; null for a grant that was never used.'),
  })
  .meta({ id: 'Grant', description: 'The access that a person allows an OAuth client.' });

export const grantList = z.object({ data: z.array(grant), next_cursor: nextCursor }).meta({ id: 'GrantList' });
export const grantRevoked = z
  .object({ id: z.string(), revoked: z.literal(true), receipt_id: z.string() })
  .meta({ id: 'GrantRevoked' });
export type GrantRevoked = z.output<typeof grantRevoked>;

export const grantListQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor,
} as const;

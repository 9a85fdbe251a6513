import { z } from 'zod';
import { field } from './input.js';
import { keyIn, memoryScope } from './keys.js';
import { nextCursor, shortName } from './memory.js';

export const agentKeyIn = {
  name: field(shortName, 'invalid_name'),
  scopes: field(
    z
      .array(memoryScope)
      .min(1)
      .max(2)
      .default(['memory.read', 'memory.write'])
      .describe('Without it, both. Every agent key may also use the tools of the MCP server (mcp:tools).'),
    'invalid_request',
  ),
  namespace_ids: keyIn.namespace_ids,
} as const;

const agentKey = z
  .object({
    key_id: z.uuid(),
    agent_id: z.string().describe('The agent of the link, in whose name the key writes.'),
    name: z.string(),
    scopes: z.array(memoryScope),
    namespace_ids: z.array(z.uuid()).describe('The namespaces that the key is limited to.'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('To about a minute; null for a key that was never used.'),
  })
  .meta({ id: 'AgentKey', description: 'A key with which an agent calls over MCP, without its secret.' });

export const agentKeyCreated = agentKey
  .extend({
    receipt_id: z.string(),
    key: z
      .string()
      .nullable()
      .describe('The secret, shown once; null if the request is repeated with its Idempotency-Key.'),
  })
  .meta({ id: 'AgentKeyCreated', description: 'A new key of an agent with its secret.' });

export const agentKeyList = z.object({ data: z.array(agentKey), next_cursor: nextCursor }).meta({ id: 'AgentKeyList' });

import { z } from 'zod';
import { limits } from '../../../contracts/limits.js';
import { call } from '../../api/call.js';
import { memoryListOperation } from '../../api/memories/list.js';
import type { Calling } from '../tool.js';

const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      excerpt: z.string(),
      source: z.string().nullable(),
      receipt_id: z.string().nullable(),
      created_at: z.string(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export type ListedMemory = z.output<typeof listed>['data'][number];

/** One page of the ready memories that a client reaches, newest first, as GET /v1/memories lists them. */
export async function newestMemories(
  { caller, client, services, rateLimits }: Calling,
  query: { readonly cursor?: string; readonly q?: string },
) {
  const request = { caller, client, query: { limit: String(limits.listMax), ...query } };
  return listed.parse((await call(memoryListOperation, request, { services, rateLimits })).body);
}

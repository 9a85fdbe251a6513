import { z } from 'zod';
import { actor } from './entries/entry.js';
import { field } from './input.js';
import { limits } from './limits.js';
import { cursor, listTotal, memory, memorySummary, nextCursor, totalIncluded, wholeNumber } from './memory.js';
import { names, namesIncluded } from './names.js';

const recallActor = z
  .object(actor.unwrap().shape)
  .meta({ id: 'RecallActor', description: 'Who has searched, as the receipt says it.' });

const memoryRecall = z
  .object({
    receipt_id: z.string().describe('The receipt of the search, of the kind memory.recall.'),
    receipt_hash: z.string(),
    recorded_at: z.iso.datetime(),
    rank: z.int().min(1).describe('The place of the memory among the results, from 1.'),
    results: z.int().min(1).describe('How many results the search had.'),
    mode: z.string().describe('fused, keyword or dense: which arms have answered.'),
    namespace_ids: z.array(z.string()).describe('The namespaces that were searched.'),
    actor: recallActor,
  })
  .meta({ id: 'MemoryRecall', description: 'A search that had the memory among its results.' });

export const memoryRecalls = z
  .object({ data: z.array(memoryRecall), next_cursor: nextCursor, names })
  .meta({ id: 'MemoryRecalls', description: 'A page of the searches that had a memory among their results.' });

const limit = field(
  wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault),
  'invalid_request',
);

export const memoryRecallsQuery = { include: namesIncluded, limit, cursor } as const;

const unusedMemory = memorySummary
  .extend({
    status: memory.shape.status,
    last_recalled_on: z.iso
      .date()
      .nullable()
      .describe('The day (UTC) of the last search that had the memory among its results; null if there was none.'),
  })
  .meta({ id: 'UnusedMemory', description: 'A memory that no search had among its results, or none lately.' });

export const unusedMemories = z
  .object({ data: z.array(unusedMemory), next_cursor: nextCursor, total: listTotal.optional() })
  .meta({ id: 'UnusedMemories', description: 'A page of the memories that no search uses.' });

/** PostgreSQL has no year 0. */
const day = z.iso.date('must be a date, YYYY-MM-DD').refine((text) => !text.startsWith('0000'), 'must be after year 0');

export const unusedMemoriesQuery = {
  namespace_id: field(
    z
      .guid('must be the id of a namespace')
      .transform((id) => id.toLowerCase())
      .describe('The namespace of the memories.'),
    'invalid_namespace_ids',
  ),
  since: field(
    day
      .optional()
      .describe(
        'A day (UTC): also memories that were recalled before it, and not on it or later. Without it, only those that were never recalled.',
      ),
    'invalid_request',
  ),
  include: totalIncluded,
  limit,
  cursor,
} as const;

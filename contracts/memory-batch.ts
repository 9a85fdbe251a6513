import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { memoryAccepted } from './memory.js';

export const memoryBatchIn = {
  memories: field(
    z
      .array(z.unknown(), 'must be a list of memories')
      .min(1, 'must not be empty')
      .describe(
        `1 to ${limits.batchMemories} memories, each with the fields of POST /v1/memories; more are refused with too_many_memories.`,
      ),
    'invalid_request',
    // How many elements there are is looked at by itself: their values say nothing about it.
    { most: { values: limits.jsonValues, code: 'invalid_request' } },
  ),
} as const;

const place = z.int().describe('The place of the memory in the list that was sent, from 0.');

/** A memory of a batch that was written or was there already. */
const batchAccepted = memoryAccepted
  .extend({
    index: place,
    status: z.union([z.literal(200), z.literal(202)]).describe('202: it was written. 200: it is a duplicate.'),
  })
  .meta({ id: 'BatchAccepted', description: 'A memory of a batch that was written, or exists already.' });

const batchRefused = z
  .object({
    index: place,
    status: z.int().describe('The status with which POST /v1/memories refuses this memory.'),
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).describe('As of the refusal of one memory.'),
    }),
  })
  .meta({ id: 'BatchRefused', description: 'A memory of a batch that was refused. Nothing of it was written.' });

export const memoryBatch = z
  .object({
    results: z.array(z.union([batchAccepted, batchRefused])).describe('One for each memory, in their order.'),
    written: z.int().describe('How many were written.'),
    duplicates: z.int().describe('How many exist already.'),
    refused: z.int().describe('How many were refused.'),
  })
  .meta({ id: 'MemoryBatch', description: 'The results of a batch.' });

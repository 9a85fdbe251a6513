import { z } from 'zod';
import { field } from './input.js';

/** The most memories that a write names beside its own. */
export const mostSimilar = 3;

export const similarMemories = z
  .array(z.object({ memory_id: z.uuid(), excerpt: z.string() }))
  .max(mostSimilar)
  .describe(
    'With include=similar: the best other valid memories of the namespace for the first 2,000 characters of the text, with a score of .35 or more. Of a new memory these are earlier ones.',
  );

export const memoryAddQuery = {
  include: field(
    z.enum(['similar'], 'must be similar').optional().describe('similar: other memories that say nearly the same.'),
    'invalid_request',
  ),
} as const;

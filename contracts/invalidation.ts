import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { provenance } from './provenance.js';
import { textOf } from './text.js';

export const invalidation = z
  .object({
    at: z.iso.datetime(),
    reason: z
      .string()
      .nullable()
      .describe('As it was given, sensitive values redacted; null if the store has lost it.'),
    by: provenance,
    receipt_id: z.string().describe('The receipt of the invalidation.'),
    superseded_by: z
      .uuid()
      .nullable()
      .describe('The memory that is valid instead. It may have been deleted since, and the caller may not reach it.'),
  })
  .meta({ id: 'Invalidation', description: 'Since when, why and by whom a memory is not valid any more.' });

/** A sentence for people. The reason is quoted: a caller has written it. */
export function invalidatedSentence({ at, reason }: Pick<z.output<typeof invalidation>, 'at' | 'reason'>): string {
  return `It was invalidated on ${at.slice(0, 10)}${reason === null ? '' : `: ${JSON.stringify(reason)}`}.`;
}

export const memoryInvalidated = z
  .object({
    id: z.uuid(),
    invalidated: z.boolean().describe('Whether the memory is invalidated now.'),
    receipt_id: z.string().describe('The receipt of the invalidation or the reinstatement.'),
  })
  .meta({ id: 'MemoryInvalidated', description: 'A memory that was invalidated or reinstated.' });
export type MemoryInvalidated = z.output<typeof memoryInvalidated>;

/** The body that invalidates a memory. */
export const invalidateIn = {
  reason: field(
    textOf(limits.reasonCharacters)
      .refine((text) => text.trim() !== '', 'must not be blank')
      .describe('Why the memory is not valid any more: 1 to 1024 characters. Stored as the content of memories is.'),
    'invalid_reason',
  ),
  superseded_by: field(
    z.guid('must be the id of a memory').nullish().describe('The id of the memory that is valid instead.'),
    'invalid_superseded_by',
  ),
} as const;

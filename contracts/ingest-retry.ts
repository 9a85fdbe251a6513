import { z } from 'zod';
import { field } from './input.js';
import { moment } from './instant.js';
import { limits } from './limits.js';
import { nextCursor } from './memory.js';
import { namespaceIds } from './namespace-ids.js';

const failingStages = ['extracting', 'chunking', 'embedding', 'indexing'] as const;

export const retryIn = {
  stage: field(
    z.literal('failed', 'must be failed').optional().describe('Only failed jobs are retried together.'),
    'invalid_stage',
  ),
  failed_stage: field(
    z
      .enum(failingStages, `must be one of ${failingStages.join(', ')}`)
      .optional()
      .describe('The stage they failed in.'),
    'invalid_stage',
  ),
  namespace_ids: namespaceIds,
  since: field(moment.optional().describe('Only jobs that failed at this moment or later.'), 'invalid_request'),
  until: field(moment.optional().describe('Only jobs that failed before this moment.'), 'invalid_request'),
  limit: field(
    z.int().min(1).max(limits.retriedJobs).optional().describe('How many jobs at most; 100 without it.'),
    'invalid_request',
  ),
  cursor: field(
    z.string().optional().describe('next_cursor of the previous call with the same filter.'),
    'invalid_cursor',
  ),
} as const;

export const retried = z
  .object({
    retried: z.int().describe('How many jobs are queued again.'),
    job_ids: z.array(z.uuid()).describe('These jobs, newest first.'),
    next_cursor: nextCursor,
  })
  .meta({ id: 'RetriedJobs', description: 'The failed jobs that one call has queued again.' });

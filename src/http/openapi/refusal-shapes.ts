import { z } from 'zod';

const request_id = z
  .string()
  .describe('What the log of the service calls the request; also in the header x-request-id.');

export const memoryError = z
  .object({
    error: z.object({
      code: z.string().describe('What to match on.'),
      message: z.string().describe('For people; it may change.'),
      details: z.record(z.string(), z.unknown()).describe('Depends on the code, such as limit_bytes or approval_id.'),
      request_id,
    }),
  })
  .meta({ id: 'MemoryError', description: 'Why a call was refused.' });

export const planLimit = z
  .object({
    error: z.string().describe('Which limit of the plan was reached.'),
    message: z.string(),
    current_plan: z.string(),
    limit: z.int(),
    used: z.int(),
    request_id,
  })
  .meta({ id: 'PlanLimit', description: 'The plan holds no more; nothing was written.' });

import { z } from 'zod';

const request_id = z
  .string()
  .describe('The id of the request in the log of the service; also in the header x-request-id.');

export const memoryError = z
  .object({
    error: z.object({
      code: z.string().describe('The code; its meaning does not change.'),
      message: z.string().describe('For people; it may change.'),
      details: z.record(z.string(), z.unknown()).describe('Depends on the code, such as limit_bytes or approval_id.'),
      request_id,
    }),
  })
  .meta({ id: 'MemoryError', description: 'Why a call was refused.' });

export const planLimit = z
  .object({
    error: z.string().describe('The code of the limit of the plan.'),
    message: z.string(),
    current_plan: z.string(),
    limit: z.int(),
    used: z.int(),
    request_id,
  })
  .meta({ id: 'PlanLimit', description: 'A limit of the plan was reached; nothing was written.' });

import { z } from 'zod';

export const provenance = z
  .object({
    user_id: z.string().nullable().describe('The person who was signed in, or the one that the key names.'),
    agent_id: z.string().nullable().describe('The agent that called, or the one that the key names.'),
    app_id: z.string().nullable().describe('The application that the key names, otherwise the name of the key.'),
    run_id: z.string().nullable().describe('What the header x-service-run said.'),
  })
  .meta({
    id: 'Provenance',
    description: 'Who a memory is from. The service sets it from the caller, never from the body.',
  });

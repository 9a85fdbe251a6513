import { z } from 'zod';
import { field } from './input.js';
import { shortName } from './memory.js';

const publishing =
  'Whether the task receipts that are recorded from now on are public. What everybody then sees of them: agent_handle, vendor, ' +
  'platform, capability, status, times, cost, the receipt hash, and every text in market except invoice_id, workflow.id and ' +
  'workflow.step: counterparties, segments, workflow names, claimants and respondents too. A receipt stays as public as it was ' +
  'when it was recorded.';

export const workspaceIn = {
  name: field(shortName.optional(), 'invalid_name'),
  publish_task_receipts: field(z.boolean('must be a boolean').optional().describe(publishing), 'invalid_request'),
} as const;

export const workspace = z
  .object({
    id: z.uuid(),
    name: z.string(),
    plan: z.string(),
    created_at: z.iso.datetime(),
    publish_task_receipts: z.boolean().describe(publishing),
    public_tag: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .describe('The name of the workspace for the public. It says nothing about the id, and never changes.'),
  })
  .meta({ id: 'Workspace' });

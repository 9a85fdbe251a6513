import { z } from 'zod';
import { receipt } from './receipt.js';

const refs = z.array(z.string()).describe('Ids and addresses of what it is about, as they were sent.');
const gone = 'Absent once the text was erased.';
const summary = z.string().optional().describe(gone);
const privateErased = z.boolean().describe('Whether the text was erased.');

/** A decision as the API gives it: its entry, and what it says. */
export const decisionReceipt = receipt
  .extend({
    kind: z.literal('decision'),
    private_erased: privateErased,
    decision: z.object({
      summary,
      options: z.array(z.string()).optional().describe('The choices that there were.'),
      chosen: z.string().optional().describe('The choice, which need not be one of the options.'),
      reason: z.string().optional(),
      refs,
    }),
  })
  .meta({ id: 'DecisionReceipt', description: 'A decision that an agent has recorded.' });

/** A handoff as the API gives it. */
export const handoffReceipt = receipt
  .extend({
    kind: z.literal('handoff'),
    private_erased: privateErased,
    handoff: z.object({
      summary,
      task: z.string().optional().describe('What is left to do.'),
      to_agent: z.string().describe('The identity that takes over. It need not be linked to the workspace.'),
      refs,
    }),
  })
  .meta({ id: 'HandoffReceipt', description: 'Work that an agent has handed to another one.' });

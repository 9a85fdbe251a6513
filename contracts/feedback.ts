import { z } from 'zod';
import { agentId } from './identities.js';

const count = z.int().min(0);
const rate = z.number().min(0).max(1).nullable();
const latency = count.nullable();
const account = z.string().regex(/^eip155:\d+:0x[0-9a-f]{40}$/);

/** The file of one feedback about an agent in a registry of ERC-8004. */
export const feedbackFile = z
  .strictObject({
    schema: z.literal('counterfoil-feedback/1'),
    agentRegistry: account.describe('The identity registry (CAIP-10).'),
    agentId: z.union([z.int(), z.string()]).describe('The number of the agent there; a text of digits above 2^53 - 1.'),
    clientAddress: account.describe('The account that gives the feedback (CAIP-10).'),
    createdAt: z.iso.datetime().describe('When the checkpoint was signed.'),
    value: z
      .int()
      .min(0)
      .max(10_000)
      .describe('10000 × success / tasks, rounded half to even. Refusals count as tasks here.'),
    valueDecimals: z.literal(4),
    tag1: z.literal('successRate'),
    tag2: z.literal('counterfoil'),
    agn_id: agentId,
    epoch: z.string().describe('The day in UTC; where epochs are not whole days, the start as YYYY-MM-DDTHHMMSSZ.'),
    from: z.iso.datetime().describe('Receipts that were recorded from this moment on are counted.'),
    to: z.iso.datetime().describe('Receipts that were recorded before this moment are counted.'),
    counts: z.strictObject({
      tasks: count.describe('All public receipts of the agent.'),
      success: count,
      partial: count,
      error: count,
      refused: count.describe('tool_denied and policy_blocked together.'),
      tool_denied: count,
      policy_blocked: count,
    }),
    success_rate: rate.describe('success / (success + partial + error), 6 decimals; null where there are none.'),
    refusal_rate: rate.describe('refused / tasks, 6 decimals.'),
    latency_p50_ms: latency.describe('Without refused tasks; null where there are no others.'),
    latency_p95_ms: latency,
    root: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe(
        'The root (RFC 6962) over the hashes of the counted receipts, which are leaf hashes already, ordered by recorded_at, then by hash.',
      ),
    checkpoint: z.string().describe('The first checkpoint of the transparency log that covers all of them.'),
  })
  .meta({ id: 'Feedback' });

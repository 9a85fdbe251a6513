import { z } from 'zod';
import type { PublicTags } from '../../public-tags.js';
import type { Fact } from '../fact.js';
import { readStatement } from '../statements.js';
import type { PublicReceipt, Task } from './receipt.js';

/** Rows of the read model `facts` as JSON: pages of them go to the state of the market without being parsed in between. */

const fact = {
  recorded_ms: z.number(),
  hash: z.string(),
  workspace: z.string(),
  seq: z.number(),
  agent: z.string(),
  handle: z.string(),
  vendor: z.string(),
  platform: z.string(),
  capability: z.string().nullable(),
  sector: z.string().nullable(),
  counterparty: z.string().nullable(),
  segment: z.string().nullable(),
  workflow: z.string().nullable(),
  status: z.string(),
  started_ms: z.number(),
  ended_ms: z.number(),
  latency_ms: z.number(),
  latency_bucket: z.number(),
  cost_micros: z.number().nullable(),
  scope_violated: z.boolean(),
  verified_attestations: z.number(),
  outcome_value_micros: z.number().nullable(),
  outcome_baseline_micros: z.number().nullable(),
  outcome_accepted: z.boolean().nullable(),
} satisfies { readonly [K in keyof Fact]: z.ZodType<Fact[K]> };

const task = z.object({ ...fact, run: z.string().nullable() });

const receipt = task.extend({
  workspace_id: z.string().nullable(),
  invoice_id: z.string().nullable(),
  statements: z.array(z.object({ type: z.string(), statement: z.string() })).nullable(),
});

const [taskRows, receiptRows] = [z.array(task), z.array(receipt)];

/** Tasks that were added before. */
export const readTaskRows = (text: string): readonly Task[] => taskRows.parse(JSON.parse(text));

export function readReceiptRows(text: string, tags: Pick<PublicTags, 'invoice'>): readonly PublicReceipt[] {
  return receiptRows.parse(JSON.parse(text)).map(({ workspace_id, invoice_id, statements, ...found }) => ({
    task: found,
    statements: (statements ?? []).map(readStatement),
    invoice: workspace_id === null || invoice_id === null ? null : tags.invoice(workspace_id, invoice_id),
  }));
}

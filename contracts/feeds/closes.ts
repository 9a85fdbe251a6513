import { z } from 'zod';
import { nextCursor } from '../memory.js';
import { figure } from './figure.js';

/** The closes of indices for outsiders: the list of days, and the file of one day. */

const theDay = 'the on-time receipts of the day';

const count = (formula: string, source: string) =>
  figure(z.int().min(0), { formula, unit: 'tasks', window: theDay, source });

const sums = {
  tasks: count('The number of tasks', 'receipts'),
  successes: count('Tasks with the status success', 'status'),
  failures: count('Tasks with the status partial or error', 'status'),
  refusals: count('Tasks with the status tool_denied or policy_blocked', 'status'),
  quantity: count('Successes that state a cost', 'status, cost_usd'),
  notional_micros: figure(z.string().regex(/^(0|[1-9][0-9]*)$/), {
    formula: 'Σ cost_usd of all tasks, in millionths of a dollar, as a text of digits',
    unit: 'millionths of USD',
    window: theDay,
    source: 'cost_usd',
  }),
};

const name = (formula: string, source: string) => figure(z.string(), { formula, unit: 'text', window: theDay, source });

const sector = figure(z.string(), {
  formula: 'The sector at this close: that of the first public receipt of the capability that names one; else know',
  unit: 'text',
  window: 'receipts recorded before the end of the day + 1 h',
  source: 'market.sector',
});

const ofCapability = z.strictObject({
  capability: name('The capability', 'market.capability'),
  ...sums,
  latencies: z.record(
    z.string().regex(/^(0|[1-9][0-9]*)$/),
    count('Tasks that were not refused, by the bucket k of their latency: 1.02^k ≤ max(1, ms) < 1.02^(k+1)', 'times'),
  ),
});

const dayOrNull = (formula: string, whenNull: string) =>
  figure(z.iso.date().nullable(), { formula, unit: 'day', window: 'all closed days', whenNull, source: 'closes' });

const ofIndex = z.strictObject({
  id: figure(z.string(), {
    formula: 'The id of the index',
    unit: 'text',
    window: 'at the close',
    source: 'a constant',
  }),
  base_day: dayOrNull('The day on which the level is 1000', 'before that day, and for CFX.HHI'),
  last_priced_day: dayOrNull(
    'The last closed day with a priced capability of the index, which may be this day',
    'before the first such day, and for CFX.REL and CFX.HHI',
  ),
});

/** The file of one closed day. Its canonical bytes have the hash that the entry of the close states. */
export const closeFile = z
  .strictObject({
    schema: figure(z.literal('counterfoil-close/1'), {
      formula: 'The format of the file',
      unit: 'text',
      window: 'at the close',
      source: 'a constant',
    }),
    day: figure(z.iso.date(), { formula: 'The day in UTC', unit: 'day', window: 'at the close', source: 'ended_at' }),
    receipts: count('The number of receipts', 'receipts'),
    root: figure(z.string().regex(/^[0-9a-f]{64}$/), {
      formula: 'The RFC 6962 root over the hashes of these receipts, ordered by (recorded_at, hash)',
      unit: 'hex',
      window: theDay,
      source: 'receipt_hash',
    }),
    total: z.strictObject(sums),
    capabilities: z.array(ofCapability),
    sectors: z.array(z.strictObject({ sector: name('The sector', 'capability_sectors'), ...sums })),
    vendors: z.array(z.strictObject({ vendor: name('The vendor', 'market.vendor'), ...sums })),
    capability_sectors: z.array(
      z.strictObject({
        capability: name('A capability with receipts in the seven closed days that end with this one', 'closes'),
        sector,
      }),
    ),
    indices: z.array(ofIndex),
  })
  .readonly()
  .meta({ id: 'CloseFile' });
export type CloseFile = z.output<typeof closeFile>;

const closeRow = z.object({
  day: z.iso.date(),
  receipt_id: z.string().meta({ description: 'The entry of the close in the registry' }),
  facts_hash: z.string().meta({ description: 'The SHA-256 of the bytes of the file' }),
});

export const closeList = z.object({ data: z.array(closeRow), next_cursor: nextCursor }).meta({ id: 'CloseList' });

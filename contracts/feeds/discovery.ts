import { z } from 'zod';
import { field } from '../input.js';
import { limits } from '../limits.js';
import { market } from '../market.js';
import { taskStatuses } from '../task-receipt.js';
import { isStorable } from '../text.js';
import { agentRow } from './agents.js';
import { figure, type Meaning } from './figure.js';
import { feedHead } from './head.js';

const count = z.int().min(0);
const { sector, capability } = market.unwrap().shape;

const ofMonth = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: '30 days' });

const number = (things: string, source: string, of = '') =>
  ofMonth(count, { formula: `Number of ${things} with a task in the window${of}`, unit: things, source });

const tasksOfDay = (of: string, source: string) =>
  figure(count, { formula: `Number of tasks${of}`, unit: 'tasks', window: '24 h', source });

const decided =
  'The sector of a capability is the first that a public receipt names for it in recorded order, otherwise know';

const stats = z.object({
  ...feedHead(['agents', 'vendors', 'tape']),
  agents: number('agents', 'agent_handle'),
  verified_agents: ofMonth(count, {
    formula: 'Number of agents with a task in the window that are verified',
    unit: 'agents',
    source: 'agents[].verified',
  }),
  vendors: number('vendors', 'market.vendor'),
  capabilities: number('capabilities', 'market.capability'),
  sectors: ofMonth(count, {
    formula: `Number of sectors that have a capability with a task in the window. ${decided}`,
    unit: 'sectors',
    source: 'market.sector, market.capability',
  }),
  receipts_24h: tasksOfDay(', one for each public receipt that ended in the window', 'ended_at'),
  receipts_total: figure(count, {
    formula: 'Number of public task receipts with recorded_at ≤ t',
    unit: 'receipts',
    window: 'all time',
    source: 'recorded_at',
  }),
});

const sectorRow = z.object({
  sector: ofMonth(sector.unwrap(), {
    formula: `A sector that has a capability with a task in the window. ${decided}`,
    unit: 'text',
    source: 'market.sector, market.capability',
  }),
  capabilities: number('capabilities', 'market.capability', ', of this sector'),
  agents: number('agents', 'agent_handle, market.capability', ' of a capability of this sector'),
  volume_24h: tasksOfDay(' of capabilities of this sector', 'ended_at, market.capability'),
  notional_24h: figure(z.number(), {
    formula: 'Sum of cost_usd of all tasks of capabilities of this sector, with any status',
    unit: 'USD',
    window: '24 h',
    source: 'cost_usd, market.capability',
  }),
  change_pct: figure(z.number().nullable(), {
    formula: 'change_pct of the sub-index of this sector',
    unit: 'percent',
    window: 'since the last close',
    whenNull: 'the sub-index has no level yet',
    source: 'indices[].change_pct of the terminal',
  }),
});

const vendorRow = z
  .object({
    vendor: ofMonth(z.string(), {
      formula:
        'A vendor with a task in the window, as submitters wrote it, in NFC and without spaces around it: market.vendor, otherwise the vendor of the identity, otherwise the platform',
      unit: 'text',
      source: 'market.vendor, platform',
    }),
    agents: number('agents', 'agent_handle', ' of this vendor'),
    capabilities: number('capabilities', 'market.capability', ' of this vendor'),
    tasks_24h: tasksOfDay(' of this vendor', 'ended_at'),
    tasks_30d: ofMonth(count, { formula: 'Number of tasks of this vendor', unit: 'tasks', source: 'ended_at' }),
    notional_30d: ofMonth(z.number(), {
      formula: 'Sum of cost_usd of all tasks of this vendor, with any status',
      unit: 'USD',
      source: 'cost_usd',
    }),
    share_pct: ofMonth(z.number().nullable(), {
      formula: '100 × notional_30d / sum of cost_usd of all tasks of the window',
      unit: 'percent',
      whenNull: 'that sum is 0',
      source: 'cost_usd',
    }),
    success_rate: ofMonth(z.number().nullable(), {
      formula: 'success / (success + partial + error) of its tasks',
      unit: '0 to 1',
      whenNull: 'no task succeeded or failed',
      source: 'status',
    }),
    latency_p95_ms: ofMonth(count.nullable(), {
      formula:
        'The 95 % quantile of ended_at − started_at of its tasks that were not refused: the middle of the bucket of the ⌈0.95 n⌉-th smallest, exact below 50 ms and within 1 % above',
      unit: 'milliseconds',
      whenNull: 'every task was refused',
      source: 'started_at, ended_at, status',
    }),
    last_seen: ofMonth(z.iso.datetime(), {
      formula: 'The ended_at of its newest task that ended at t or before',
      unit: 'moment',
      source: 'ended_at',
    }),
  })
  .meta({
    id: 'VendorRow',
    description: 'A vendor with a task in 30 days. By notional_30d, the largest first, then by name.',
  });

/** A member of a receipt on the tape. */
const taped = <S extends z.ZodType>(schema: S, unit: string, formula: string, source: string, whenNull?: string) =>
  figure(schema, { formula, unit, window: 'all time', source, ...(whenNull === undefined ? {} : { whenNull }) });

const tapeRow = z
  .object({
    at: taped(z.iso.datetime(), 'moment', 'ended_at of the receipt, cut to milliseconds', 'ended_at'),
    symbol: taped(z.string().nullable(), 'text', 'Symbol of the capability', 'market.capability', 'none is stated'),
    agent: taped(
      z.string(),
      'text',
      'agn_… where the handle was linked with proof as the receipt was recorded, otherwise @handle~tag',
      'agent_handle',
    ),
    vendor: taped(
      z.string(),
      'text',
      'Vendor of the receipt: market.vendor, otherwise the vendor of the identity, otherwise the platform',
      'market.vendor, platform',
    ),
    status: taped(z.enum(taskStatuses), 'text', 'Status of the receipt', 'status'),
    latency_ms: taped(
      count,
      'milliseconds',
      'ended_at − started_at, each cut to milliseconds. It is no quantile, and refused tasks have it too',
      'started_at, ended_at',
    ),
    cost_usd: taped(
      z.number().nullable(),
      'USD',
      'cost_usd, rounded half to even to 0.000001',
      'cost_usd',
      'none is stated, or more than 1,000,000',
    ),
    receipt_hash: taped(z.string(), 'hex', 'Hash of the receipt', 'receipt_hash'),
  })
  .meta({
    id: 'TapeRow',
    description: 'One of the newest public receipts, the newest first in the order of (recorded_at, hash).',
  });

export const discoveryFeed = z
  .object({
    stats,
    sectors: z.array(sectorRow).readonly().describe('By notional_24h, the largest first, then by name.'),
    agents: z.array(agentRow).readonly(),
    vendors: z.array(vendorRow).readonly(),
    tape: z.array(tapeRow).readonly(),
  })
  .meta({
    id: 'DiscoveryFeed',
    description: 'The directory of agents and vendors. Names are as their submitters wrote them.',
  });

const search = z
  .string()
  .refine((text) => [...text].length <= limits.directoryQueryCharacters, 'must have at most 200 characters')
  .refine(isStorable, 'must be valid Unicode without NUL');

const isVerified = z.enum(['true', 'false']).describe('Agents that are verified, or that are not, and their vendors.');

/** Filters of `agents` and `vendors`. An agent stays when it matches all; `stats`, `sectors` and `tape` stay whole. */
export const discoveryQuery = {
  q: field(
    search
      .optional()
      .describe(
        'A part of the handle, the agent name, the vendor or a symbol, compared in NFC and in the lower case of Unicode. A vendor also stays when its name has this part.',
      )
      .meta({ maxLength: limits.directoryQueryCharacters }),
    'invalid_request',
  ),
  sector: field(
    sector.unwrap().optional().describe('Agents with a task of this sector in 30 days, and their vendors.'),
    'invalid_request',
  ),
  capability: field(
    capability.unwrap().optional().describe('Agents with a task of this capability in 30 days, and their vendors.'),
    'invalid_request',
  ),
  verified: field(isVerified.transform((text) => text === 'true').optional(), 'invalid_request', {
    described: isVerified.optional(),
  }),
} as const;

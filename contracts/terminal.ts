import { z } from 'zod';
import { agentIdPattern } from './agents.js';
import { plans } from './entries/entry.js';
import { indexIds } from './index-ids.js';
import { field } from './input.js';
import { limits } from './limits.js';

/** `CODE.REVIEW`: the symbol under which a capability is quoted. */
const symbolPattern = /^[A-Z0-9]+(\.[A-Z0-9]+)*$/;
const mustBeSymbol = 'must be a symbol such as CODE.REVIEW, of at most 40 characters';
export const symbol = z
  .string(mustBeSymbol)
  .max(limits.symbolCharacters, mustBeSymbol)
  .regex(symbolPattern, mustBeSymbol);

/** An agent without identity: its handle and the tag of its workspace. */
const handleAndTag = /^@[a-z0-9-]{2,32}~[0-9a-f]{16}$/;
const agentRef = z
  .string()
  .refine((ref) => agentIdPattern.test(ref) || handleAndTag.test(ref), 'must be agn_… or @handle~tag');

const vendorRef = z
  .string()
  .regex(/^\P{Cc}*$/u, 'must have no control characters')
  .refine((name) => name.isWellFormed(), 'must be valid Unicode')
  .transform((name) => name.normalize('NFC').trim())
  .refine((name) => name.length > 0 && [...name].length <= limits.vendorCharacters, 'must have 1 to 64 characters');

const watchKinds = ['tickers', 'agents', 'vendors'] as const;
export type WatchKind = (typeof watchKinds)[number];

const watchRefs: Readonly<Record<WatchKind, z.ZodType<string>>> = {
  tickers: symbol,
  agents: agentRef,
  vendors: vendorRef,
};

/** The id as it is stored. The name of a vendor is normalized, so that it is found however it is written. */
export const watchRef = (kind: WatchKind): z.ZodType<string> => watchRefs[kind];

const kind = z.enum(watchKinds, 'must be tickers or agents or vendors').describe('What is watched.');

export const watchIn = {
  kind: field(kind, 'invalid_request'),
  ref_id: field(
    z
      .string()
      .max(limits.refCharacters)
      .describe('A symbol, an agent (agn_… or @handle~tag) or the name of a vendor. It need not exist yet.'),
    'invalid_request',
  ),
} as const;

const watchedItem = z.object({ ref_id: z.string(), created_at: z.iso.datetime() });

export const watchlist = z
  .object({
    items: z
      .object({ tickers: z.array(watchedItem), agents: z.array(watchedItem), vendors: z.array(watchedItem) })
      .describe('The oldest first.'),
  })
  .meta({ id: 'Watchlist' });

export const watched = z
  .object({
    kind,
    ref_id: z.string(),
    created: z.boolean().describe('Whether it was not in the list before.'),
  })
  .meta({ id: 'Watched' });

export const unwatched = z
  .object({
    kind,
    ref_id: z.string(),
    deleted: z.boolean().describe('Whether it was in the list.'),
  })
  .meta({ id: 'Unwatched' });

/** Scope → the figures that an alert may watch. */
export const alertMetrics = {
  ticker: ['price_usd', 'change_pct', 'volume_24h', 'notional_24h', 'success_rate', 'latency_p95_ms'],
  index: ['value', 'change_pct'],
  agent: ['trust', 'success_rate', 'latency_p95_ms', 'cost_per_success_usd', 'tasks_24h'],
  vendor: ['notional_24h', 'share_pct', 'tasks_24h', 'open_disputes'],
} as const;

export type AlertScope = keyof typeof alertMetrics;
export type AlertMetric = (typeof alertMetrics)[AlertScope][number];

const scope = z.enum(['ticker', 'index', 'agent', 'vendor'], 'must be ticker, index, agent or vendor');
const metrics = [...new Set(Object.values(alertMetrics).flat())];
const metric = z.enum(metrics, `must be one of ${metrics.join(', ')}`);
const op = z.enum(['>', '<'], 'must be > or <');

const alertTargets: Readonly<Record<AlertScope, z.ZodType<string>>> = {
  ticker: symbol,
  index: z.enum(indexIds, `must be one of ${indexIds.join(', ')}`),
  agent: agentRef,
  vendor: vendorRef,
};

/** The target as it is stored. */
export const alertTarget = (of: AlertScope): z.ZodType<string> => alertTargets[of];

export const alertIn = {
  id: field(z.string().max(limits.idCharacters).optional().describe('Of the alert to change.'), 'invalid_request'),
  scope: field(scope, 'invalid_request'),
  target: field(
    z
      .string()
      .max(limits.refCharacters)
      .describe('A symbol, the id of an index, an agent (agn_… or @handle~tag) or the name of a vendor.'),
    'invalid_request',
  ),
  metric: field(
    metric.describe(
      Object.entries(alertMetrics)
        .map(([of, names]) => `Of ${of}: ${names.join(', ')}.`)
        .join(' '),
    ),
    'invalid_request',
  ),
  op: field(op, 'invalid_request'),
  value: field(z.number('must be a finite number'), 'invalid_request'),
} as const;

const alertStates = ['waiting', 'fired', 'no_data'] as const;
export type AlertState = (typeof alertStates)[number];

export const alert = z
  .object({
    id: z.uuid(),
    scope,
    target: z.string(),
    metric,
    op,
    value: z.number(),
    state: z
      .enum(alertStates)
      .describe(
        'fired: the condition was true at the last check. waiting: it was false, or there was no check yet. no_data: the figure was null.',
      ),
    last_value: z.number().nullable().describe('The figure at the last check.'),
    last_checked_at: z.iso.datetime().nullable(),
    last_fired_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Alert', description: 'A condition on one public figure.' });
export type Alert = z.output<typeof alert>;

export const alertList = z.array(alert).meta({ id: 'AlertList', description: 'The oldest first.' });

export const alertDeleted = z
  .object({ id: z.string(), deleted: z.boolean().describe('Whether it was there.') })
  .meta({ id: 'AlertDeleted' });

export const alertQuery = {
  id: field(z.string().max(limits.idCharacters).describe('The id of the alert.'), 'invalid_request'),
} as const;

export const entitlement = z
  .object({
    authenticated: z.boolean(),
    plan: z.enum(plans),
    effective_plan: z.enum(plans).describe('The plan whose limits hold.'),
    gating_enabled: z.boolean(),
  })
  .meta({ id: 'Entitlement' });

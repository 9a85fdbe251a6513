import { z } from 'zod';
import { hasAtMostDecimals, isProductAtMost } from './decimal.js';
import { compareInstants, instantOf } from './instant.js';
import { printableId, shortText } from './text.js';

export const marketSchema = 'counterfoil-market/1';

const mostAmount = 1_000_000_000;
const mostRate = 1_000_000;
const [moneyDecimals, rateDecimals] = [6, 12];

/** The number of decimals that a number of the extension may have, by the name of its member. */
export function mostDecimals(member: string): number {
  if (member === 'bids') return 0;
  if (member === 'usd_rate') return rateDecimals;
  return member === 'target' ? Number.POSITIVE_INFINITY : moneyDecimals;
}

const withDecimals = (number: z.ZodNumber, most: number) =>
  number.refine((value) => hasAtMostDecimals(value, most), `must have at most ${most} decimals`);

const money = withDecimals(z.number().min(0).max(mostAmount), moneyDecimals);
const quantity = withDecimals(z.number().gt(0).max(mostAmount), moneyDecimals);
/** As earlier versions recorded it: without an upper bound. */
const recordedRate = withDecimals(z.number().gt(0), rateDecimals);
const usdRate = withDecimals(z.number().gt(0).max(mostRate), rateDecimals);

const name = shortText(64);
const party = shortText(128);
const id = printableId;
const capability = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a slug of at most 40 characters: a-z, 0-9 and single hyphens');

export const instant = z
  .string()
  .refine((text) => instantOf(text) !== undefined, 'must be an RFC 3339 date-time with an offset, and a real moment');

const workflow = z.strictObject({ id, name, step: name.exactOptional() }).readonly();

const outcome = z
  .strictObject({
    value_usd: money,
    baseline_cost_usd: money.exactOptional(),
    accepted: z.boolean().exactOptional(),
  })
  .readonly();

/** A recorded settlement without the id of its invoice, which is private. It may be beyond the bounds of money. */
export const shownSettlement = z
  .strictObject({
    direction: z.enum(['receivable', 'payable']).exactOptional(),
    rail: z.enum(['card', 'ach', 'sepa', 'wire', 'stablecoin', 'onchain', 'internal']),
    currency: z.string().regex(/^[A-Z]{3,10}$/, 'must have 3 to 10 capitals'),
    amount: money,
    usd_rate: recordedRate.exactOptional(),
    status: z.enum(['initiated', 'settled', 'failed', 'refunded']),
    due_at: instant.exactOptional(),
    settled_at: instant.exactOptional(),
    counterparty: name.exactOptional(),
  })
  .readonly();

/**
 * Whether the rate of a settlement, and its amount in dollars by that rate, are within the bounds of money. Public figures take a
 * recorded one beyond them for not stated: one number would make the sums of all others meaningless.
 */
export function isWithinBounds({
  amount,
  usd_rate = 1,
}: Pick<z.output<typeof shownSettlement>, 'amount' | 'usd_rate'>) {
  return usd_rate <= mostRate && isProductAtMost(amount, usd_rate, mostAmount);
}

const settlement = z
  .strictObject({ invoice_id: id, ...shownSettlement.unwrap().shape, usd_rate: usdRate.exactOptional() })
  .refine(({ currency, usd_rate }) => currency === 'USD' || usd_rate !== undefined, {
    path: ['usd_rate'],
    error: 'is required unless the currency is USD',
  })
  // A number that is beyond its own bounds is named already.
  .refine((given) => given.amount > mostAmount || (given.usd_rate ?? 1) > mostRate || isWithinBounds(given), {
    path: ['usd_rate'],
    error: 'must not make amount × usd_rate more than 1,000,000,000',
  })
  .readonly();

export const rfq = z
  .strictObject({
    rfq_id: id,
    capability,
    quantity,
    max_unit_price_usd: money.exactOptional(),
    expires_at: instant,
    status: z.enum(['open', 'filled', 'expired', 'cancelled']),
  })
  .readonly();

export const quote = z
  .strictObject({ quote_id: id, rfq_id: id, unit_price_usd: money, quantity, valid_until: instant })
  .readonly();

export const fill = z
  .strictObject({
    fill_id: id,
    rfq_id: id.exactOptional(),
    auction_id: id.exactOptional(),
    forward_id: id.exactOptional(),
    quote_id: id.exactOptional(),
    capability,
    quantity,
    unit_price_usd: money,
    side: z.enum(['buy', 'sell']),
    counterparty: name,
  })
  .refine(
    ({ rfq_id, auction_id, forward_id }) =>
      [rfq_id, auction_id, forward_id].filter((one) => one !== undefined).length <= 1,
    'must have at most one of rfq_id, auction_id and forward_id',
  )
  .readonly();

export const auction = z
  .strictObject({
    auction_id: id,
    capability,
    type: z.enum(['english', 'dutch', 'first_price', 'second_price']),
    quantity,
    reserve_usd: money.exactOptional(),
    closes_at: instant,
    status: z.enum(['open', 'cleared', 'failed']),
    bids: z.int().min(0).exactOptional(),
    clearing_price_usd: money.exactOptional(),
  })
  .readonly();

export const forward = z
  .strictObject({
    forward_id: id,
    capability,
    quantity,
    unit_price_usd: money,
    delivery_at: instant,
    status: z.enum(['open', 'delivered', 'defaulted', 'cancelled']),
  })
  .readonly();

export const sla = z
  .strictObject({
    sla_id: id,
    capability,
    metric: z.enum(['latency_p95_ms', 'success_rate']),
    target: z.number().min(0),
    penalty_usd: money,
    period_start: instant,
    period_end: instant,
  })
  .refine(({ metric, target }) => (metric === 'success_rate' ? target <= 1 : Number.isSafeInteger(target)), {
    path: ['target'],
    error: 'must be from 0 to 1 for success_rate, and a whole number for latency_p95_ms',
  })
  .refine(({ period_start, period_end }) => isBefore(period_start, period_end), {
    path: ['period_end'],
    error: 'must be after period_start',
  })
  .readonly();

/** Nothing is said here about a text that is no instant: it has a fault of its own. */
function isBefore(earlier: string, later: string): boolean {
  const [a, b] = [instantOf(earlier), instantOf(later)];
  return a === undefined || b === undefined || compareInstants(a, b) < 0;
}

export const dispute = z
  .strictObject({
    case_id: id,
    tier: z.enum(['automated', 'panel', 'appeal']),
    claim_type: z.enum(['non_delivery', 'quality', 'late', 'overcharge', 'scope', 'fraud', 'other']),
    claimant: party,
    respondent: party,
    status: z.enum(['open', 'resolved']),
    opened_at: instant,
    resolved_at: instant.exactOptional(),
    ruling: z.enum(['upheld', 'rejected', 'split', 'withdrawn']).exactOptional(),
    award_usd: money.exactOptional(),
    cites: z.array(id).max(20).readonly().exactOptional(),
  })
  .refine(({ status, ruling }) => status === 'open' || ruling !== undefined, {
    path: ['ruling'],
    error: 'is required when the dispute is resolved',
  })
  .readonly();

/**
 * The extension `market` of a task receipt, from which public figures are computed. A member of this name without our
 * `schema` is not this extension.
 */
export const market = z
  .strictObject({
    schema: z.literal(marketSchema),
    capability: capability.exactOptional(),
    sector: z.enum(['build', 'know', 'serve', 'transact']).exactOptional(),
    vendor: name.exactOptional(),
    counterparty: name.exactOptional(),
    workflow: workflow.exactOptional(),
    segment: shortText(40).exactOptional(),
    outcome: outcome.exactOptional(),
    settlement: settlement.exactOptional(),
    rfq: rfq.exactOptional(),
    quote: quote.exactOptional(),
    fill: fill.exactOptional(),
    auction: auction.exactOptional(),
    forward: forward.exactOptional(),
    sla: sla.exactOptional(),
    dispute: dispute.exactOptional(),
  })
  .readonly();
export type Market = z.output<typeof market>;

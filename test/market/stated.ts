import type { Market } from '../../contracts/market.js';
import type { Random } from './random.js';

/** The circumstances of a receipt that says something about the market. */
export interface Scene {
  readonly random: Random;
  /** The end of the task. */
  readonly endedMs: number;
  /** The names that parties have; handles and identities among the respondents. */
  readonly parties: readonly string[];
  readonly respondents: readonly string[];
}

type Member = Exclude<keyof Market, 'schema'>;
export type Members = Omit<Market, 'schema'>;

const hour = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

export const capabilities = ['code-review', 'code', 'search', 'translate', 'a1', 'a-1', 'filing'];

/** Names in two writings of the same text, with spaces around them, and beyond the basic plane. */
export const names = ['Acme', ' Cafe\u0301 ', 'Caf\u00e9', '\u{1F600} Labs', '\uFF5E Works', 'Ünal', 'beta', 'Zeta'];

/** Amounts with six decimals or fewer, 0 among them, and few of them, so that values are equal now and then. */
const money = ({ pick, whole }: Random): number => pick([0, 0.000001, 0.1, 2.5, 10, whole(1e9) / 1e6]);
const quantity = ({ pick, whole }: Random): number => pick([1, 2, 2.5, 1 + whole(1000), (1 + whole(1e6)) / 1e6]);

/** A random value of each member that the extension names. */
export const members: { readonly [M in Member]: (scene: Scene) => Members[M] } = {
  capability: ({ random }) => random.pick(capabilities),
  sector: ({ random }) => random.pick(['build', 'know', 'serve', 'transact']),
  vendor: ({ parties, random }) => random.pick(parties),
  counterparty: ({ parties, random }) => random.pick([...parties, '   ']),
  workflow: ({ random: { pick, whole } }) => ({
    id: `run-${whole(40)}`,
    name: pick(['Order to cash', ' Order to cash', 'Filing', 'Filing', ' ']),
    ...pick([{}, { step: 'first' }]),
  }),
  segment: ({ random }) => random.pick(['enterprise', ' public ', 'small', '  ']),
  outcome: ({ random }) => ({
    value_usd: money(random),
    ...(random.chance(0.5) ? { baseline_cost_usd: money(random) } : {}),
    ...(random.chance(0.4) ? { accepted: random.chance(0.6) } : {}),
  }),
  settlement,
  rfq: ({ random, endedMs }) => ({
    rfq_id: `rfq-${random.whole(30)}`,
    capability: random.pick(capabilities),
    quantity: quantity(random),
    ...(random.chance(0.5) ? { max_unit_price_usd: money(random) } : {}),
    expires_at: iso(endedMs + (random.whole(72) - 6) * hour),
    status: random.pick(['open', 'open', 'open', 'filled', 'expired', 'cancelled']),
  }),
  quote: ({ random, endedMs }) => ({
    quote_id: `quote-${random.whole(40)}`,
    rfq_id: `rfq-${random.whole(30)}`,
    unit_price_usd: money(random),
    quantity: quantity(random),
    valid_until: iso(endedMs + (random.whole(72) - 6) * hour),
  }),
  fill,
  auction: ({ random, endedMs }) => ({
    auction_id: `auction-${random.whole(15)}`,
    capability: random.pick(capabilities),
    type: random.pick(['english', 'dutch', 'first_price', 'second_price']),
    quantity: quantity(random),
    ...(random.chance(0.5) ? { reserve_usd: money(random) } : {}),
    closes_at: iso(endedMs + random.whole(48) * hour),
    status: random.pick(['open', 'open', 'cleared', 'failed']),
    ...(random.chance(0.5) ? { bids: random.whole(9) } : {}),
    ...(random.chance(0.5) ? { clearing_price_usd: money(random) } : {}),
  }),
  forward: ({ random, endedMs }) => ({
    forward_id: `forward-${random.whole(15)}`,
    capability: random.pick(capabilities),
    quantity: quantity(random),
    unit_price_usd: money(random),
    delivery_at: iso(endedMs + random.whole(300) * hour),
    status: random.pick(['open', 'open', 'delivered', 'defaulted', 'cancelled']),
  }),
  sla,
  dispute,
};

function settlement({ random, endedMs, parties }: Scene): Members['settlement'] {
  const { pick, chance, whole } = random;
  const currency = pick(['USD', 'USD', 'EUR', 'JPY']);
  const needsRate = currency !== 'USD' || chance(0.2);
  return {
    invoice_id: `invoice-${whole(25)}`,
    ...(chance(0.5) ? { direction: pick(['receivable', 'payable'] as const) } : {}),
    rail: pick(['card', 'ach', 'sepa', 'wire', 'stablecoin', 'onchain', 'internal']),
    currency,
    amount: money(random),
    ...(needsRate ? { usd_rate: pick([1.08, 0.006712345678, 1.5, 0.000000000001]) } : {}),
    status: pick(['initiated', 'settled', 'settled', 'failed', 'refunded']),
    ...(chance(0.6) ? { due_at: iso(endedMs + (whole(400) - 100) * hour) } : {}),
    ...(chance(0.4) ? { settled_at: iso(endedMs + (whole(40) - 30) * hour) } : {}),
    ...(chance(0.5) ? { counterparty: pick(parties) } : {}),
  };
}

/** Prices and quantities of few values, so that both sides of a fill agree now and then. */
function fill({ random, parties }: Scene): Members['fill'] {
  const { pick, chance, whole } = random;
  const of = pick([{}, { rfq_id: `rfq-${whole(30)}` }, { auction_id: 'auction-1' }, { forward_id: 'forward-2' }]);
  return {
    fill_id: `fill-${whole(25)}`,
    ...of,
    ...(chance(0.4) ? { quote_id: `quote-${whole(40)}` } : {}),
    capability: pick(['search', 'code']),
    quantity: pick([1, 2.5]),
    unit_price_usd: pick([0.3, 12.345678]),
    side: pick(['buy', 'sell']),
    counterparty: pick(parties),
  };
}

function sla({ random, endedMs }: Scene): Members['sla'] {
  const { pick, whole } = random;
  const startMs = endedMs + (whole(200) - 150) * hour;
  return {
    sla_id: `sla-${whole(12)}`,
    capability: pick(capabilities),
    ...pick([
      { metric: 'latency_p95_ms' as const, target: whole(20_000) },
      { metric: 'success_rate' as const, target: pick([0, 0.5, 0.666667, 0.9, 1]) },
    ]),
    penalty_usd: money(random),
    period_start: iso(startMs),
    period_end: iso(startMs + (1 + whole(200)) * hour),
  };
}

function dispute({ random, endedMs, parties, respondents }: Scene): Members['dispute'] {
  const { pick, chance, whole } = random;
  const isResolved = chance(0.6);
  return {
    case_id: `case-${whole(40)}`,
    tier: pick(['automated', 'panel', 'appeal']),
    claim_type: pick(['non_delivery', 'quality', 'late', 'overcharge', 'scope', 'fraud', 'other']),
    claimant: pick(parties),
    respondent: pick(respondents),
    opened_at: iso(endedMs - whole(200) * hour),
    status: isResolved ? 'resolved' : 'open',
    ...(isResolved ? { ruling: pick(['upheld', 'upheld', 'rejected', 'split', 'withdrawn'] as const) } : {}),
    ...(isResolved && chance(0.5) ? { resolved_at: iso(endedMs - whole(20) * hour) } : {}),
    ...(chance(0.4) ? { award_usd: money(random) } : {}),
    ...(chance(0.3) ? { cites: [`case-${whole(40)}`] } : {}),
  };
}

import { type Chance, money } from './chance.js';
import type { Capability, Society, Workspace } from './society.js';
import { iso } from './task.js';

/** A statement about the market that a workspace makes at a time. */
export interface Statement {
  readonly workspace: number;
  readonly atMs: number;
  readonly capability: Capability;
  readonly market: Readonly<Record<string, unknown>>;
}

interface Scene {
  readonly random: Chance;
  readonly society: Society;
  readonly workspace: Workspace;
  readonly capability: Capability;
  /** Unique within the run. */
  readonly id: string;
  readonly atMs: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A story of the market: the statements of an object from its first state to its last, in the order of their times. */
export type Story = (scene: Scene) => Statement[];

/** The stories, each with how often it happens. */
export const stories: readonly (readonly [Story, number])[] = [
  [settlement, 40],
  [rfq, 12],
  [auction, 5],
  [forward, 5],
  [sla, 4],
  [dispute, 4],
  [workflow, 30],
];

function settlement({ random, workspace, capability, id, atMs }: Scene): Statement[] {
  const currency = random.weighted([
    ['USD', 7],
    ['EUR', 2],
    ['GBP', 1],
    ['JPY', 1],
  ] as const);
  const rates = { USD: undefined, EUR: 1.08, GBP: 1.27, JPY: 0.0067 };
  const rate = rates[currency];
  const invoice = {
    invoice_id: `inv-${id}`,
    ...(random.happens(0.3) ? { direction: 'payable' } : {}),
    rail: random.pick(['card', 'ach', 'sepa', 'wire', 'stablecoin', 'onchain', 'internal']),
    currency,
    amount: money(random.around(currency === 'JPY' ? 20_000 : 150, 1)),
    ...(rate === undefined ? {} : { usd_rate: Number((rate * (0.98 + 0.04 * random.share())).toFixed(9)) }),
    due_at: iso(atMs + random.whole(7, 30) * day),
    counterparty: random.pick(workspace.customers),
  };
  const settled = atMs + random.wait(30 * hour);
  const says = (time: number, status: string, more: object = {}): Statement => ({
    workspace: workspace.index,
    atMs: time,
    capability,
    market: { settlement: { ...invoice, status, ...more } },
  });
  const first = says(atMs, 'initiated');
  if (random.happens(0.06)) {
    const again = settled + 6 * hour;
    return [first, says(settled, 'failed'), says(again, 'initiated'), says(again + hour, 'settled')];
  }
  const paid = says(settled, 'settled', random.happens(0.5) ? { settled_at: iso(settled) } : {});
  return random.happens(0.03) ? [first, paid, says(settled + 3 * day, 'refunded')] : [first, paid];
}

function rfq({ random, society, workspace, capability, id, atMs }: Scene): Statement[] {
  const quantity = random.whole(10, 500);
  const price = money(random.around(capability.costUsd * 1.3, 0.2));
  const request = { rfq_id: `rfq-${id}`, capability: capability.slug, quantity, expires_at: iso(atMs + day) };
  const says = (time: number, status: string): Statement => ({
    workspace: workspace.index,
    atMs: time,
    capability,
    market: { rfq: { ...request, ...(random.happens(0.5) ? { max_unit_price_usd: money(price * 1.5) } : {}), status } },
  });
  const sellers = Array.from({ length: random.whole(1, 3) }, () => random.pick(society.workspaces));
  const quotes = sellers.map(
    (seller, at): Statement => ({
      workspace: seller.index,
      atMs: atMs + (at + 1) * 5 * minute,
      capability,
      market: {
        quote: {
          quote_id: `quote-${id}-${at}`,
          rfq_id: request.rfq_id,
          unit_price_usd: money(price * (1 + 0.05 * at)),
          quantity,
          valid_until: iso(atMs + day),
        },
      },
    }),
  );
  const end = atMs + random.whole(1, 20) * hour;
  if (random.happens(0.3))
    return [says(atMs, 'open'), ...quotes, ...(random.happens(0.5) ? [says(end, 'cancelled')] : [])];
  const parts = { fill_id: `fill-${id}`, rfq_id: request.rfq_id, quote_id: `quote-${id}-0` };
  const seller = sellers[0] ?? workspace;
  const fills = bothSides(
    { workspace, seller, capability, atMs: end, random },
    { ...parts, quantity, unit_price_usd: price },
  );
  return [says(atMs, 'open'), ...quotes, says(end, 'filled'), ...fills];
}

interface Deal {
  readonly workspace: Workspace;
  readonly seller: Workspace;
  readonly capability: Capability;
  readonly atMs: number;
  readonly random: Chance;
}

/** A trade that the buyer states, and mostly the seller too. */
function bothSides({ workspace, seller, capability, atMs, random }: Deal, fill: object): Statement[] {
  const side = (by: Workspace, other: Workspace, name: 'buy' | 'sell', time: number): Statement => ({
    workspace: by.index,
    atMs: time,
    capability,
    market: { fill: { ...fill, capability: capability.slug, side: name, counterparty: other.name } },
  });
  const bought = side(workspace, seller, 'buy', atMs + minute);
  return random.happens(0.85) ? [bought, side(seller, workspace, 'sell', atMs + 2 * minute)] : [bought];
}

function auction({ random, society, workspace, capability, id, atMs }: Scene): Statement[] {
  const quantity = random.whole(20, 200);
  const price = money(random.around(capability.costUsd, 0.2));
  const lot = {
    auction_id: `auction-${id}`,
    capability: capability.slug,
    type: random.pick(['english', 'dutch', 'first_price', 'second_price']),
    quantity,
    reserve_usd: money(price * 0.8),
    closes_at: iso(atMs + 6 * hour),
  };
  const says = (time: number, status: string, more: object = {}): Statement => ({
    workspace: workspace.index,
    atMs: time,
    capability,
    market: { auction: { ...lot, status, ...more } },
  });
  const end = atMs + 6 * hour;
  const opened = says(atMs, 'open', { bids: 0 });
  if (random.happens(0.2)) return [opened, says(end, 'failed', { bids: 0 })];
  const fill = { fill_id: `fill-${id}`, auction_id: lot.auction_id, quantity, unit_price_usd: price };
  const deal = { workspace, seller: random.pick(society.workspaces), capability, atMs: end, random };
  return [
    opened,
    says(end, 'cleared', { bids: random.whole(1, 12), clearing_price_usd: price }),
    ...bothSides(deal, fill),
  ];
}

function forward({ random, society, workspace, capability, id, atMs }: Scene): Statement[] {
  const price = money(random.around(capability.costUsd, 0.2));
  const quantity = random.whole(50, 1000);
  const delivery = atMs + random.whole(1, 7) * day;
  const contract = {
    forward_id: `forward-${id}`,
    capability: capability.slug,
    quantity,
    unit_price_usd: price,
    delivery_at: iso(delivery),
  };
  const says = (time: number, status: string): Statement => ({
    workspace: workspace.index,
    atMs: time,
    capability,
    market: { forward: { ...contract, status } },
  });
  const fill = { fill_id: `fill-${id}`, forward_id: contract.forward_id, quantity, unit_price_usd: price };
  const deal = { workspace, seller: random.pick(society.workspaces), capability, atMs, random };
  const status = random.weighted([
    ['delivered', 8],
    ['defaulted', 1],
    ['cancelled', 1],
  ] as const);
  return [says(atMs, 'open'), ...bothSides(deal, fill), says(delivery, status)];
}

function sla({ random, workspace, capability, id, atMs }: Scene): Statement[] {
  const byLatency = random.happens(0.5);
  const metric = byLatency ? 'latency_p95_ms' : 'success_rate';
  const target = byLatency ? Math.round(capability.latencyMs * 3) : 0.85;
  const period = { period_start: iso(atMs), period_end: iso(atMs + random.whole(1, 7) * day) };
  const terms = { sla_id: `sla-${id}`, capability: capability.slug, metric, target, penalty_usd: random.whole(5, 200) };
  return [{ workspace: workspace.index, atMs, capability, market: { sla: { ...terms, ...period } } }];
}

function dispute({ random, society, workspace, capability, id, atMs }: Scene): Statement[] {
  const claim = {
    case_id: `case-${id}`,
    claim_type: random.pick(['non_delivery', 'quality', 'late', 'overcharge', 'scope', 'fraud', 'other']),
    claimant: random.pick(society.workspaces).name,
    respondent: random.pick(workspace.agents).handle,
    opened_at: iso(atMs),
  };
  const says = (time: number, more: object): Statement => ({
    workspace: workspace.index,
    atMs: time,
    capability,
    market: { dispute: { ...claim, ...more } },
  });
  const ruling = random.pick(['upheld', 'rejected', 'split', 'withdrawn']);
  const award = ruling === 'upheld' || ruling === 'split' ? { award_usd: random.whole(1, 500) } : {};
  const end = atMs + random.wait(2 * day);
  const resolved = says(end, { tier: 'automated', status: 'resolved', ruling, ...award });
  const opened = says(atMs, { tier: 'automated', status: 'open' });
  if (random.happens(0.8)) return [opened, resolved];
  const appealed = says(end + hour, { tier: 'panel', status: 'open' });
  return [opened, resolved, appealed, says(end + 2 * day, { tier: 'panel', status: 'resolved', ruling: 'rejected' })];
}

/** One run of a workflow: steps of several agents, and the outcome with the last one. */
function workflow({ random, workspace, capability, id, atMs }: Scene): Statement[] {
  const steps = random.whole(2, 5);
  const name = random.pick(['Order to cash', 'Ticket to fix', 'Lead to deal', 'Filing']);
  return Array.from({ length: steps }, (_, at) => {
    const outcome = { value_usd: money(random.around(3, 0.8)), baseline_cost_usd: money(random.around(2, 0.5)) };
    const accepted = random.happens(0.1) ? { accepted: false } : {};
    const isLast = at === steps - 1;
    return {
      workspace: workspace.index,
      atMs: atMs + at * minute,
      capability,
      market: {
        workflow: { id: `run-${id}`, name, step: `step ${at + 1}` },
        ...(isLast ? { outcome: { ...outcome, ...accepted } } : {}),
      },
    };
  });
}

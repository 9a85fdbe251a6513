import { symbolOf } from '../../public-name.js';
import { timeText } from '../feeds/head.js';
import { toMicros } from '../numbers/exact.js';
import { figureAsStated, figureOf, money, ratio, statedFigure } from '../numbers/figure.js';
import { byCodePoint, type Compare } from '../numbers/lists.js';
import { type Auction, type Desk, type Forward, isOpenAt, type Quote, type Rfq } from '../state/desk.js';
import type { Market } from '../state/market.js';
import type { OwnedObject } from '../state/owned.js';

/** The newest statement first: by the end of the task that its receipt is about. Then by id. */
export const byNewestStatement: Compare<OwnedObject<unknown>> = (a, b) =>
  b.owner.newest.ended_ms - a.owner.newest.ended_ms || byCodePoint(a.id, b.id);

export function rfqRow({ desk, t }: Market, { id, owner }: OwnedObject<Rfq>) {
  const { said, hash } = owner.newest;
  const quotes = [...desk.quotesOf(id)];
  const live = liveQuotes(said, quotes, t).sort(byPrice);
  const [best, highest] = [live.at(0), live.at(-1)];
  return {
    rfq_id: id,
    symbol: symbolOf(said.capability),
    quantity: figureAsStated(said.quantity),
    max_unit_price_usd: statedFigure(said.max_unit_price_usd),
    expires_at: timeText(said.atMs),
    status: said.status === 'open' && !isOpenAt(said, t) ? 'expired' : said.status,
    quotes: quotes.length,
    best_quote: best === undefined ? null : quoteRow(best),
    spread_usd:
      best === undefined || highest === best || highest === undefined ? null : money(priceOf(highest) - priceOf(best)),
    receipt_hash: hash,
  };
}

/** A quote is live while its request is open and it is valid. */
const liveQuotes = (rfq: Rfq, quotes: readonly OwnedObject<Quote>[], t: number): OwnedObject<Quote>[] =>
  isOpenAt(rfq, t) ? quotes.filter(({ owner }) => owner.newest.said.atMs > t) : [];

const priceOf = ({ owner }: OwnedObject<Quote>): bigint => BigInt(toMicros(owner.newest.said.unit_price_usd));

const byPrice: Compare<OwnedObject<Quote>> = (a, b) => Number(priceOf(a) - priceOf(b)) || byCodePoint(a.id, b.id);

const quoteRow = ({ id, owner: { newest } }: OwnedObject<Quote>) => ({
  quote_id: id,
  agent: newest.agent,
  unit_price_usd: figureAsStated(newest.said.unit_price_usd),
  quantity: figureAsStated(newest.said.quantity),
  valid_until: timeText(newest.said.atMs),
});

/** Capability → agent → the lowest price in millionths of its live quotes. */
export function quotedPrices(desk: Desk, t: number): Map<string, Map<string, bigint>> {
  const prices = new Map<string, Map<string, bigint>>();
  for (const { id, owner } of desk.rfqs.at(t)) {
    const { capability } = owner.newest.said;
    for (const quote of liveQuotes(owner.newest.said, [...desk.quotesOf(id)], t)) {
      const ofCapability = prices.get(capability) ?? new Map<string, bigint>();
      const { agent } = quote.owner.newest;
      const known = ofCapability.get(agent);
      if (known === undefined || priceOf(quote) < known) ofCapability.set(agent, priceOf(quote));
      prices.set(capability, ofCapability);
    }
  }
  return prices;
}

export function auctionRow({ id, owner: { newest } }: OwnedObject<Auction>) {
  const { capability, type, quantity, reserve_usd, atMs, status, bids, clearing_price_usd } = newest.said;
  return {
    auction_id: id,
    symbol: symbolOf(capability),
    type,
    quantity: figureAsStated(quantity),
    reserve_usd: statedFigure(reserve_usd),
    closes_at: timeText(atMs),
    status,
    bids: bids ?? null,
    clearing_price_usd: statedFigure(clearing_price_usd),
    receipt_hash: newest.hash,
  };
}

/** A forward is marked at the price of the newest confirmed fill of its capability. */
export function forwardRow({ fills, t }: Market, { id, owner: { newest } }: OwnedObject<Forward>) {
  const { capability, quantity, unit_price_usd, atMs, status } = newest.said;
  const mark = fills.newestConfirmed(capability, t)?.later.said.unit_price_usd;
  return {
    forward_id: id,
    symbol: symbolOf(capability),
    quantity: figureAsStated(quantity),
    unit_price_usd: figureAsStated(unit_price_usd),
    delivery_at: timeText(atMs),
    status,
    mark_usd: statedFigure(mark),
    unrealised_usd: mark === undefined || status !== 'open' ? null : difference(mark, unit_price_usd, quantity),
    receipt_hash: newest.hash,
  };
}

/** (mark − price) × quantity. */
const difference = (mark: number, price: number, quantity: number) =>
  figureOf(ratio(BigInt(toMicros(mark) - toMicros(price)) * BigInt(toMicros(quantity)), 10n ** 12n));

import { publicName, symbolOf } from '../../public-name.js';
import { timeText } from '../feeds/head.js';
import { figureAsStated, money, percent } from '../numbers/figure.js';
import type { Fill, FillStatement } from '../state/fills.js';
import type { Market } from '../state/market.js';
import { dayMs, monthMs } from '../state/windows.js';

/** Each side names the other one. */
export function fillRow({ id, buy, sell, later, atMs, notional, fee }: Fill) {
  const { capability, quantity, unit_price_usd } = later.said;
  const idOf = (key: 'rfq_id' | 'auction_id' | 'forward_id' | 'quote_id') => buy?.said[key] ?? sell?.said[key] ?? null;
  return {
    fill_id: id,
    symbol: symbolOf(capability),
    quantity: figureAsStated(quantity),
    unit_price_usd: figureAsStated(unit_price_usd),
    notional_usd: money(notional),
    fee_usd: fee === null ? null : money(fee),
    state: fee === null ? 'reported' : 'confirmed',
    buyer: namedBy(sell?.said),
    seller: namedBy(buy?.said),
    rfq_id: idOf('rfq_id'),
    auction_id: idOf('auction_id'),
    forward_id: idOf('forward_id'),
    quote_id: idOf('quote_id'),
    at: timeText(atMs),
    receipt_hash: later.hash,
  };
}

const namedBy = (said: FillStatement | undefined): string | null => publicName(said?.counterparty);

/** The figures of the fills of 24 hours. */
export function fillsOfDay({ fills, t }: Market) {
  const ofDay = [...fills.between(t - dayMs, t)].flat();
  const notional = notionalOf(ofDay);
  const confirmed = notionalOf(ofDay.filter(({ fee }) => fee !== null));
  return {
    fills_24h: ofDay.length,
    notional_24h: money(notional),
    confirmed_share_pct: percent(confirmed, notional),
    fees_24h: money(feesOf(ofDay)),
  };
}

const notionalOf = (fills: readonly Fill[]): bigint => fills.reduce((sum, { notional }) => sum + notional, 0n);

/** The fees of the confirmed fills of 30 days, in millionths of a dollar. */
export function fees(market: Market): bigint {
  const days = [...market.fills.between(market.t - monthMs, market.t)];
  return days.reduce((sum, fills) => sum + feesOf(fills), 0n);
}

/** Reported fills bear no fee. */
const feesOf = (fills: readonly Fill[]): bigint => fills.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n);

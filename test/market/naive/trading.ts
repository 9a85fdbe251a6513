import { fillRow, fillsOf } from './fills.js';
import { byText, iso, type Line, ms, symbol, within } from './lines.js';
import { compare, exact, minus, over, shown, sum, times, whole } from './numbers.js';
import { routing } from './routing.js';
import { serviceLevels } from './service-levels.js';
import { figure, objects } from './stating.js';

/** A row of a list whose open objects, and those whose newest statement is of 30 days, are shown. */
const listed = <O extends { id: string; own: readonly Line[]; state: Line }>(
  all: readonly O[],
  t: number,
  isOpen: (one: O) => boolean,
): O[] =>
  all
    .filter((one) => isOpen(one) || within(one.state.ended, t, 720))
    .sort((a, b) => b.state.ended - a.state.ended || byText(a.id, b.id));

/** The feed without the first members of its summary, as the page defines it, worked out from all receipts. */
export function naiveTrading(lines: readonly Line[], t: number) {
  const rfqs = objects(lines, 'rfq', ({ rfq_id }) => rfq_id);
  const isOpen = ({ state: { said } }: (typeof rfqs)[number]) => said.status === 'open' && ms(said.expires_at) > t;
  const quotes = objects(lines, 'quote', ({ quote_id }) => quote_id).map(({ id, state }) => ({
    id,
    state,
    price: exact(state.said.unit_price_usd),
    rfq: rfqs.find((rfq) => rfq.id === state.said.rfq_id && isOpen(rfq)),
  }));
  const live = quotes
    .filter(({ rfq, state }) => rfq !== undefined && ms(state.said.valid_until) > t)
    .sort((a, b) => compare(a.price, b.price) || byText(a.id, b.id));
  const fills = fillsOf(lines);
  const ofDay = fills.filter(({ at }) => within(at, t, 24));
  const confirmed = ofDay.filter(({ fee }) => fee !== null);
  const notional = sum(ofDay.map((one) => one.notional));
  const share = over(sum(confirmed.map((one) => one.notional)), notional);
  const levels = serviceLevels(lines, t);
  const isStatedOpen = ({ state }: { state: { said: { status: string } } }) => state.said.status === 'open';
  return {
    penalties: sum(
      levels
        .filter(({ state, to }) => state === 'breached' && within(to, t, 720))
        .map(({ said }) => exact(said.penalty_usd)),
    ),
    fees: sum(fills.filter(({ at }) => within(at, t, 720)).map(({ fee }) => fee ?? whole(0))),
    summary: {
      mode: 'non_custodial',
      routing_fee_pct: '~0.75',
      open_rfqs: rfqs.filter(isOpen).length,
      fills_24h: ofDay.length,
      notional_24h: shown(notional),
      confirmed_share_pct: shown(share === null ? null : times(whole(100), share)),
      fees_24h: shown(sum(confirmed.map(({ fee }) => fee ?? whole(0)))),
    },
    rfqs: listed(rfqs, t, isOpen).map((rfq) => {
      const { said, hash } = rfq.state;
      const answers = live.filter((one) => one.rfq === rfq);
      const [best, highest] = [answers.at(0), answers.at(-1)];
      return {
        rfq_id: rfq.id,
        symbol: symbol(said.capability),
        quantity: figure(said.quantity),
        max_unit_price_usd: figure(said.max_unit_price_usd),
        expires_at: iso(said.expires_at),
        status: said.status === 'open' && !isOpen(rfq) ? 'expired' : said.status,
        quotes: quotes.filter(({ state }) => state.said.rfq_id === rfq.id).length,
        best_quote:
          best === undefined
            ? null
            : {
                quote_id: best.id,
                agent: best.state.agent,
                unit_price_usd: figure(best.state.said.unit_price_usd),
                quantity: figure(best.state.said.quantity),
                valid_until: iso(best.state.said.valid_until),
              },
        spread_usd: best && highest && answers.length > 1 ? shown(minus(highest.price, best.price)) : null,
        receipt_hash: hash,
      };
    }),
    fills: fills.filter(({ at }) => within(at, t, 720)).map(fillRow),
    auctions: listed(
      objects(lines, 'auction', ({ auction_id }) => auction_id),
      t,
      isStatedOpen,
    ).map(({ id, state: { said, hash } }) => ({
      auction_id: id,
      symbol: symbol(said.capability),
      type: said.type,
      quantity: figure(said.quantity),
      reserve_usd: figure(said.reserve_usd),
      closes_at: iso(said.closes_at),
      status: said.status,
      bids: said.bids ?? null,
      clearing_price_usd: figure(said.clearing_price_usd),
      receipt_hash: hash,
    })),
    forwards: listed(
      objects(lines, 'forward', ({ forward_id }) => forward_id),
      t,
      isStatedOpen,
    ).map(({ id, state: { said, hash } }) => {
      const price = fills.find(
        ({ fee, at, later }) => fee !== null && at <= t && later.said.capability === said.capability,
      )?.later.said.unit_price_usd;
      const gain =
        price === undefined ? null : times(minus(exact(price), exact(said.unit_price_usd)), exact(said.quantity));
      return {
        forward_id: id,
        symbol: symbol(said.capability),
        quantity: figure(said.quantity),
        unit_price_usd: figure(said.unit_price_usd),
        delivery_at: iso(said.delivery_at),
        status: said.status,
        mark_usd: figure(price),
        unrealised_usd: said.status === 'open' ? shown(gain) : null,
        receipt_hash: hash,
      };
    }),
    sla_instruments: levels.map(({ said, hash, agent, state, measured }) => ({
      sla_id: said.sla_id,
      agent,
      symbol: symbol(said.capability),
      metric: said.metric,
      target: figure(said.target),
      measured,
      state,
      penalty_usd: figure(said.penalty_usd),
      period_start: iso(said.period_start),
      period_end: iso(said.period_end),
      receipt_hash: hash,
    })),
    routing: routing(
      lines,
      t,
      live.flatMap(({ rfq, state, price }) =>
        rfq === undefined ? [] : [{ capability: rfq.state.said.capability, agent: state.agent, price }],
      ),
    ),
  };
}

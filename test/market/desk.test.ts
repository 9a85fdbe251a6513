import { describe, expect, it } from 'vitest';
import { day, hour, minute, receiptsOf } from './desk-economy.js';
import { feedsAt, fill, iso, quote, rfq, stated, t } from './desk-given.js';
import type { TaskLink } from './economy.js';
import { follow } from './live.js';
import { random } from './random.js';

describe('trading', () => {
  // @covers DESK-EMPTY
  it('is empty and well formed without receipts, and says that it holds no funds', () => {
    const { summary, rfqs, fills, auctions, forwards, sla_instruments, routing } = feedsAt([]);
    expect([rfqs, fills, auctions, forwards, sla_instruments, routing]).toEqual([[], [], [], [], [], []]);
    expect(summary).toMatchObject({
      mode: 'non_custodial',
      routing_fee_pct: 0.75,
      open_rfqs: 0,
      fills_24h: 0,
      notional_24h: 0,
      confirmed_share_pct: null,
      fees_24h: 0,
    });
  });

  // @covers DESK-STATE
  it('takes the newest statement by seq as a whole, no matter what the ends of the tasks are', () => {
    const links = [
      stated(rfq({ max_unit_price_usd: 5 })),
      stated(rfq({ quantity: 3 }), { ended: t - 50 * day, recorded: t - hour }),
    ];
    expect(feedsAt(links).rfqs).toMatchObject([
      { quantity: 3, max_unit_price_usd: null, receipt_hash: links[1]?.hash },
    ]);
  });

  // @covers RFQ-EXPIRES
  it('expires a request at its moment, which may have an offset and finer digits', () => {
    const at = (expires_at: string) => feedsAt([stated(rfq({ expires_at }))]);
    const utc = iso(t).slice(0, -1);
    expect(at(`${utc}Z`)).toMatchObject({
      summary: { open_rfqs: 0 },
      rfqs: [{ status: 'expired', expires_at: iso(t) }],
    });
    expect(at(`${utc}9999999Z`)).toMatchObject({
      summary: { open_rfqs: 0 },
      rfqs: [{ status: 'expired', expires_at: iso(t) }],
    });
    expect(at(iso(t + hour).replace('Z', '+01:00')).rfqs).toMatchObject([{ status: 'expired', expires_at: iso(t) }]);
    expect(at(iso(t + 1)).rfqs).toMatchObject([{ status: 'open' }]);
  });

  // @covers QUOTE-LIVE QUOTE-SPREAD
  it('chooses the lowest live quote, and finds none when the request is closed', () => {
    const quotes = [
      stated(quote('b', 2)),
      stated(quote('a', 2), { workspace: 1, identity: `agn_${'a'.repeat(32)}` }),
      stated(quote('c', 1, { valid_until: iso(t) })),
      stated(quote('d', 3.5)),
    ];
    const [row] = feedsAt([stated(rfq()), ...quotes]).rfqs;
    expect(row).toMatchObject({
      quotes: 4,
      best_quote: { quote_id: 'a', agent: `agn_${'a'.repeat(32)}`, unit_price_usd: 2 },
      spread_usd: 1.5,
    });
    const one = feedsAt([stated(rfq()), ...quotes.slice(0, 1)]).rfqs;
    expect(one).toMatchObject([{ best_quote: { quote_id: 'b' }, spread_usd: null }]);
    const closed = feedsAt([stated(rfq({ status: 'filled' })), ...quotes]).rfqs;
    expect(closed).toMatchObject([{ quotes: 4, best_quote: null, spread_usd: null }]);
    const elsewhere = feedsAt([stated(rfq()), ...quotes.slice(0, 1), stated(quote('b', 2, { rfq_id: 'other' }))]).rfqs;
    expect(elsewhere).toMatchObject([{ quotes: 0, best_quote: null }]);
  });

  // @covers DESK-LISTED
  it('lists what is open, and what the newest statement of the owner says about a task of 30 days', () => {
    const old = { ended: t - 30 * day, recorded: t - 30 * day };
    const young = { ended: t - 30 * day + 1, recorded: t - 30 * day + 1 };
    const ids = (links: readonly TaskLink[]) => feedsAt(links).rfqs.map(({ rfq_id }) => rfq_id);
    expect(ids([stated(rfq({ status: 'filled' }), old)])).toEqual([]);
    expect(ids([stated(rfq({ status: 'filled' }), young)])).toEqual(['r']);
    expect(ids([stated(rfq(), old)])).toEqual(['r']);
    expect(ids([stated(rfq(), young), stated(rfq({ status: 'filled' }), { ...old, recorded: t - day })])).toEqual([]);
    expect(ids([stated(rfq({ status: 'filled' }), { ended: t + 1, recorded: t })])).toEqual([]);
  });

  // @covers DESK-LISTED
  it('lists an object again when the end of its task is reached', () => {
    const following = follow(receiptsOf([stated(rfq({ status: 'filled' }), { ended: t + 1, recorded: t })]), t);
    const listed = () => following.market.desk.rfqs.at(following.market.t).length;
    expect(listed()).toBe(0);
    following.advance(t + minute, random(1));
    expect(listed()).toBe(1);
  });

  // @covers FILL-CONFIRMED FILL-FEE
  it('confirms the earliest of each side, and rounds notional and fee once', () => {
    const numbers = { quantity: 0.000001, unit_price_usd: 0.5 };
    const links = [
      stated(fill('sell', { ...numbers, counterparty: ' Buyer ', rfq_id: 'of-sell', quote_id: 'q' }), { workspace: 1 }),
      stated(fill('buy', { ...numbers, counterparty: 'Seller', rfq_id: 'of-buy' }), { ended: t - minute }),
      stated(fill('buy', { ...numbers, counterparty: '  ' }), { workspace: 2, ended: t - 1 }),
    ];
    expect(feedsAt(links).fills).toMatchObject([
      { state: 'reported', fee_usd: null, buyer: null, seller: null, at: iso(t - 1) },
      {
        state: 'confirmed',
        notional_usd: 0,
        fee_usd: 0,
        buyer: 'Buyer',
        seller: 'Seller',
        rfq_id: 'of-buy',
        quote_id: 'q',
        at: iso(t - minute),
        receipt_hash: links[1]?.hash,
      },
    ]);
    // 0.0075 × 0.0000666 is below half a millionth, and 0.0075 × the rounded notional would be above it.
    const exactly = { quantity: 0.000001, unit_price_usd: 66.6 };
    const [row] = feedsAt([stated(fill('buy', exactly)), stated(fill('sell', exactly), { workspace: 1 })]).fills;
    expect(row).toMatchObject({ notional_usd: 0.000067, fee_usd: 0 });
  });

  // @covers FILL-NEWEST
  it('forgets what a workspace stated before, also where both sides are of one workspace', () => {
    const fills = [stated(fill('buy')), stated(fill('sell'), { workspace: 1 })];
    expect(feedsAt(fills).fills).toMatchObject([{ state: 'confirmed' }]);
    const changed = [...fills, stated(fill('sell', { quantity: 2 }), { workspace: 1 })];
    expect(feedsAt(changed).fills.map(({ state }) => state)).toEqual(['reported', 'reported']);
    expect(feedsAt(changed.toReversed()).fills).toEqual(feedsAt(changed).fills);
    expect(feedsAt([stated(fill('buy')), stated(fill('sell'))]).fills).toMatchObject([{ state: 'reported' }]);
  });

  // @covers FORWARD-MARK
  it('marks a forward at the newest confirmed fill that is not after t', () => {
    const sale = (unit_price_usd: number, ended: number) => [
      stated(fill('buy', { fill_id: `${ended}`, unit_price_usd }), { ended, recorded: t }),
      stated(fill('sell', { fill_id: `${ended}`, unit_price_usd }), { ended, recorded: t, workspace: 1 }),
    ];
    const delivery_at = iso(t + day);
    const said = {
      forward_id: 'w',
      capability: 'search',
      quantity: 2.5,
      unit_price_usd: 3,
      delivery_at,
      status: 'open' as const,
    };
    const fills = [...sale(9, t - 80 * day), ...sale(2, t - 60 * day), ...sale(7, t + 1)];
    const reported = stated(fill('buy', { fill_id: 'reported', unit_price_usd: 8 }));
    expect(feedsAt([stated({ forward: said }), ...fills, reported]).forwards).toMatchObject([
      { mark_usd: 2, unrealised_usd: -2.5 },
    ]);
    const closed = stated({ forward: { ...said, status: 'delivered' } });
    expect(feedsAt([closed, ...fills]).forwards).toMatchObject([{ mark_usd: 2, unrealised_usd: null }]);
    expect(feedsAt([stated({ forward: said })]).forwards).toMatchObject([{ mark_usd: null, unrealised_usd: null }]);
  });
});

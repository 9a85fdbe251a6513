import { describe, expect, it } from 'vitest';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import { tradingFeed } from '../../src/domain/market/feeds/trading.js';
import { treasuryFeed } from '../../src/domain/market/feeds/treasury.js';
import { sumOfRatios } from '../../src/domain/market/numbers/exact.js';
import { firstOf } from '../../src/domain/market/numbers/lists.js';
import { invoicesByParty } from '../../src/domain/market/treasury/sums.js';
import { day, deskEconomy, hour } from './desk-economy.js';
import { feedsAt, iso, type Link, settlement, stated, t } from './desk-given.js';
import type { TaskLink } from './economy.js';
import { cutToMinute, marketAt, momentAt, shuffled } from './live.js';
import { random } from './random.js';

describe('treasury', () => {
  // @covers DESK-EMPTY
  it('is empty and well formed without receipts', () => {
    const { summary, rails, reconciliation, fx, float, working_capital } = feedsAt([]).treasury;
    expect([rails, reconciliation, fx, float]).toEqual([[], [], [], []]);
    expect(summary).toMatchObject({ settled_24h: 0, outstanding_usd: 0, overdue_usd: 0, on_time_rate: null });
    expect(working_capital).toEqual({ dso_days: null, dpo_days: null, cash_conversion_days: null });
  });

  // @covers INVOICE-USD
  it('converts amounts with the stated rate, and dollars with 1', () => {
    const usd = (differences: object) => feedsAt([stated(settlement(differences))]).treasury.summary.outstanding_usd;
    expect(usd({ usd_rate: 3 })).toBe(10);
    expect(usd({ currency: 'JPY', amount: 0.000001, usd_rate: 0.5 })).toBe(0);
    expect(usd({ currency: 'JPY', amount: 0.000003, usd_rate: 0.5 })).toBe(0.000002);
    expect(usd({ currency: 'JPY', amount: 1_000_000, usd_rate: 0.000000000001 })).toBe(0.000001);
  });

  // @covers INVOICE-SETTLED
  it('takes the last settled_at that was stated, otherwise the end of the first settled', () => {
    const first = stated(settlement(), { ended: t - 10 * day });
    const paid = stated(settlement({ status: 'settled' }), { ended: t - 2 * day });
    const again = stated(settlement({ status: 'settled' }), { ended: t - hour });
    const said = stated(settlement({ status: 'settled', settled_at: iso(t - 23 * hour) }), { ended: t - 3 * day });
    const silent = stated(settlement({ status: 'settled' }));
    const of = (...links: readonly TaskLink[]) => feedsAt(links).treasury;
    expect(of(first, paid, again).summary.settled_24h).toBe(0);
    expect(of(first, paid, again).rails).toMatchObject([
      { count: 1, success_rate: 1, median_settle_hours: 190.710228 },
    ]);
    expect(of(first, paid, said, silent).summary.settled_24h).toBe(10);
    expect(of(silent, said, paid, first)).toEqual(of(first, paid, said, silent));
  });

  // @covers INVOICE-SETTLED
  it('counts what was first stated in 30 days, also when the newest statement is of an older task', () => {
    const first = stated(settlement(), { ended: t - 10 * day });
    const old = { status: 'settled', settled_at: iso(t - 40 * day) };
    const other = stated(settlement({ invoice_id: 'other' }));
    const late = stated(settlement(old), { ended: t - 35 * day, recorded: t - 9 * day });
    expect(feedsAt([first, late, other]).treasury.working_capital.dso_days).toBe(15);
  });

  // @covers INVOICE-DUE
  it('looks at what was due in 30 days, also where it was settled long before', () => {
    const rate = (due: number) => {
      const said = { status: 'settled', due_at: iso(due) };
      return feedsAt([stated(settlement(said), { ended: t - 40 * day })]).treasury.summary.on_time_rate;
    };
    expect([t - 30 * day, t - 30 * day + 1, t, t + 1].map(rate)).toEqual([null, 1, 1, null]);
    const late = (due: number) => feedsAt([stated(settlement({ due_at: iso(due) }))]).treasury.summary.on_time_rate;
    expect([t - 30 * day, t - 30 * day + 1].map(late)).toEqual([null, 0]);
  });

  // @covers INVOICE-FX
  it('weights the rates of a currency by amounts, and shows that of the last settlement', () => {
    const paid = (invoice_id: string, amount: number, usd_rate: number, settled: number) =>
      stated(
        settlement({ invoice_id, amount, usd_rate, currency: 'EUR', status: 'settled', settled_at: iso(settled) }),
      );
    const links = [paid('a', 2, 1.5, t - day), paid('b', 1, 1.000000000001, t), paid('c', 3, 2, t - 2 * day)];
    expect(feedsAt(links).treasury.fx).toEqual([
      { currency: 'EUR', volume: 6, vwap_usd_rate: 1.666666666667, last_usd_rate: 1.000000000001 },
    ]);
    expect(feedsAt([paid('d', 0, 2, t)]).treasury.fx).toMatchObject([{ volume: 0, vwap_usd_rate: null }]);
  });

  // @covers INVOICE-COST
  it('reconciles with the costs of all receipts that carry the invoice', () => {
    const carrying = (cost_usd: number, status: string, more: Partial<Link> = {}) =>
      stated(settlement({ status }), { ...more, task: { cost_usd } });
    const row = (...links: readonly TaskLink[]) => feedsAt(links).treasury.reconciliation;
    const old = { ended: t - 90 * day };
    expect(row(carrying(4, 'initiated', old), carrying(6, 'settled'))).toMatchObject([
      { state: 'matched', difference_usd: 0 },
    ]);
    expect(row(carrying(4, 'initiated', old), carrying(6.5, 'settled'))).toMatchObject([
      { state: 'short', difference_usd: -0.5 },
    ]);
    expect(row(carrying(4, 'settled'))).toMatchObject([{ state: 'over', difference_usd: 6 }]);
    expect(row(carrying(4, 'settled'), carrying(1, 'refunded'))).toMatchObject([
      { state: 'unmatched', difference_usd: -5 },
    ]);
    expect(row(carrying(4, 'initiated', old))).toEqual([]);
    expect(JSON.stringify(row(carrying(4, 'settled')))).not.toContain('"i"');
  });

  // @covers INVOICE-PARTIES
  it('gives invoices to the vendor and to the buyer of the newest statement', () => {
    const at = (counterparty: string) =>
      invoicesByParty(
        feedsAt([
          stated({ ...settlement({ due_at: iso(t - day) }), vendor: 'Old', counterparty: 'Old' }),
          stated({ ...settlement({ due_at: iso(t - day), counterparty }), vendor: 'Acme', counterparty: ' Globex' }),
        ]).market,
      );
    expect(at('Initech')('buyer', 'Initech').exposure).toBe(10_000_000n);
    expect(at('  ')('buyer', 'Globex').exposure).toBe(10_000_000n);
    expect(at('Initech')('vendor', 'Acme').settledOnTime?.toString()).toBe('0');
    expect(at('Initech')('vendor', 'Old')).toEqual({ settledOnTime: null, exposure: 0n });
  });
});

describe('the state of the desk', () => {
  // @covers DESK-ORDER
  it('does not depend on the order in which receipts are added', () => {
    const { receipts, untilMs } = deskEconomy(9, 300);
    const at = cutToMinute(untilMs);
    const text = (own: typeof receipts) => {
      const market = marketAt(at, own);
      return [tradingFeed, treasuryFeed].map((feed) => feedText(feed(market, momentAt(at, []))));
    };
    const expected = text(receipts);
    expect(text(receipts.toReversed())).toEqual(expected);
    for (const seed of [1, 2, 3]) expect(text(shuffled(receipts, random(seed)))).toEqual(expected);
  });

  // @covers FIRST-OF
  it('shows the first rows of a list and counts all', () => {
    const { whole } = random(5);
    const values = Array.from({ length: 1000 }, () => whole(300));
    const compare = (a: number, b: number) => a - b;
    for (const bound of [1, 7, 500, 2000]) {
      const { rows, total } = firstOf(values, bound, compare);
      expect([rows, total]).toEqual([values.toSorted(compare).slice(0, bound), 1000]);
    }
  });

  // @covers SUM-EXACT
  it('adds many fractions exactly', () => {
    const fractions = Array.from({ length: 2000 }, (_, at) => ({ part: 1n, whole: BigInt((at % 1000) + 1) }));
    const { part, whole } = sumOfRatios(fractions);
    const naive = fractions
      .slice(0, 1000)
      .reduce((sum, one) => ({ part: sum.part * one.whole + one.part * sum.whole, whole: sum.whole * one.whole }), {
        part: 0n,
        whole: 1n,
      });
    expect(part * naive.whole).toBe(2n * naive.part * whole);
    expect(sumOfRatios([])).toEqual({ part: 0n, whole: 1n });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithinBounds } from '../../contracts/market.js';
import { feedNames } from '../../src/domain/market/feeds/all.js';
import { accepted, expectIssue, least, marketOf } from '../domain/task/samples.js';
import { receiptsOf } from './desk-economy.js';
import { iso, settlement, stated, t } from './desk-given.js';
import type { TaskLink } from './economy.js';
import { feedsOf, marketAt, momentAt } from './live.js';

const amounts = fc.oneof(
  fc.constantFrom(0, 0.000001, 1, 999_999_999.999999, 1_000_000_000),
  fc.integer({ min: 0, max: 1e15 }).map((micros) => micros / 1e6),
);
/** Rates as versions without an upper bound took them. */
const rates = fc.oneof(
  fc.constantFrom(1e-12, 0.006712345678, 1, 1.08, 1_000_000, 1_000_001, 1e20, 1.7e308, Number.MAX_VALUE),
  fc.double({ min: 1, max: Number.MAX_VALUE, noNaN: true }).map(Math.floor),
);
const invoices = fc.record({
  amount: amounts,
  usd_rate: rates,
  currency: fc.constantFrom('EUR', 'JPY', 'USD'),
  status: fc.constantFrom('initiated' as const, 'settled' as const, 'refunded' as const),
});
type Invoice = typeof invoices extends fc.Arbitrary<infer I> ? I : never;

const cost = { task: { cost_usd: 0.25 } };
const reported = (at: number, { usd_rate: _, ...said }: Invoice) => {
  const more = { invoice_id: `invoice ${at}`, due_at: iso(t), counterparty: 'Acme', ...said, currency: 'USD' };
  return stated(settlement(more), cost);
};

/** The receipt as an earlier version recorded it: today none of its fields is looked at any more. */
function asRecorded(link: TaskLink, { usd_rate, currency }: Invoice): TaskLink {
  const { entry } = link;
  const { task } = entry.body;
  if (task.market?.settlement === undefined) throw new Error('the receipt states no settlement');
  const market = { ...task.market, settlement: { ...task.market.settlement, usd_rate, currency } };
  return { ...link, entry: { ...entry, body: { ...entry.body, task: { ...task, market } } } };
}

function withoutSettlement(link: TaskLink): TaskLink {
  const { entry } = link;
  const { task } = entry.body;
  if (task.market === undefined) throw new Error('the receipt has no market');
  const { settlement: _, ...market } = task.market;
  return { ...link, entry: { ...entry, body: { ...entry.body, task: { ...task, market } } } };
}

const feedsAt = (links: readonly TaskLink[]) => {
  const receipts = receiptsOf(links);
  return feedsOf(marketAt(t, receipts), momentAt(t, receipts));
};

describe('the bounds of money', () => {
  // @covers MARKET-RATE
  it('are those of what is submitted: a rate of a million, and a billion dollars', () => {
    const of = (members: object) => ({ ...least, market: marketOf(settlement({ currency: 'EUR', ...members })) });
    for (const right of [
      { usd_rate: 1_000_000, amount: 1000 },
      { usd_rate: 1, amount: 1_000_000_000 },
      { usd_rate: 1.000000000001, amount: 999_999_999 },
      { usd_rate: 3, amount: 333_333_333.333333 },
      { usd_rate: 1e-12, amount: 1_000_000_000 },
      { usd_rate: 1_000_000, amount: 0 },
    ])
      accepted(of(right));
    for (const wrong of [
      { usd_rate: 1_000_000.000001, amount: 1 },
      { usd_rate: 1e20, amount: 0 },
      { usd_rate: 1.7e308, amount: 1 },
      { usd_rate: 1_000_000, amount: 1000.000001 },
      { usd_rate: 1.000000000001, amount: 1_000_000_000 },
      { usd_rate: 3, amount: 333_333_333.333334 },
      { usd_rate: 2, amount: 1_000_000_000, currency: 'USD' },
    ])
      expectIssue(of(wrong), 'market.settlement.usd_rate');
  });

  // @covers MARKET-RATE-RECORDED
  it('are those of feeds: what was recorded beyond them counts as not stated, and every number is finite and short', () => {
    fc.assert(
      fc.property(fc.array(invoices, { minLength: 1, maxLength: 12 }), (all) => {
        const links = all.map((invoice, at) => asRecorded(reported(at, invoice), invoice));
        const feeds = feedsAt(links);
        expect(feeds).toEqual(
          feedsAt(links.map((link, at) => (isWithinBounds(all[at] ?? { amount: 0 }) ? link : withoutSettlement(link)))),
        );
        for (const name of feedNames)
          for (const number of numbersOf(feeds[name] ?? '')) expectShort(number, all.length);
      }),
    );
  });
});

/** The numbers of a JSON text as they are spelled. */
const numbersOf = (text: string): readonly string[] => {
  JSON.parse(text);
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/(?<=[[:,])-?\d[\d.eE+-]*/g) ?? [];
};

/** A number without an exponent, no larger than the sum of this number of largest amounts, or a time. */
function expectShort(number: string, amounts: number): void {
  expect(number).toMatch(/^-?\d+(\.\d{1,12})?$/);
  expect(Math.abs(Number(number))).toBeLessThanOrEqual(Math.max(1e13, amounts * 1e9));
}

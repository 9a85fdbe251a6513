import { describe, expect, it } from 'vitest';
import { accepted, expectIssue, expectMarketEdges, least, marketOf, statements } from './samples.js';

const stating = (members: object) => ({ ...least, market: marketOf(members) });
const noTexts = ['', 'a\n', '\u0000', '\u007f', '\u009f', 1, null];
const texts = (characters: number) => ['x', ' ', '\u200b', 'é'.repeat(characters), '😀'.repeat(characters)];
const tooLong = (characters: number) => ['x'.repeat(characters + 1), '😀'.repeat(characters + 1)];
const slugs = ['a', '7', 'code-review', 'a1-b2-c3', 'a'.repeat(40)];
const noSlugs = ['', 'A', 'a_b', 'a--b', '-a', 'a-', 'a b', 'é', 'a'.repeat(41), 'a\n', 1];
const ids = ['a', ' ', '😀'.repeat(128), '../?#'];
const noIds = ['', 'x'.repeat(129), 'a\n', '\u202e', '\u0000', 1, null];
const moneys = [0, 0.000001, 12.5, 999_999_999.999999, 1_000_000_000];
const noMoneys = [-0.000001, 1e-7, 0.1234567, 1_000_000_000.000001, 1_000_000_001, '1', null];
const quantities = [0.000001, 1, 1_000_000_000];
const noQuantities = [0, -1, 1e-7, 1_000_000_001, '1'];
const moments = ['2026-12-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2024-02-29T00:00:00+05:30'];
const noMoments = ['2026-02-30T00:00:00Z', '2026-12-01', '2026-12-01T00:00:00', '9999-12-31T23:59:59-00:01', 0];
/** Values that are in none of the lists of the extension. */
const noChoices = ['', 'other ', 'Open', 'x', 1, null];

/** Each statement with the members that it may be without. */
const optional: Readonly<Record<string, readonly string[]>> = {
  workflow: ['step'],
  outcome: ['baseline_cost_usd', 'accepted'],
  settlement: ['direction', 'due_at', 'settled_at', 'counterparty'],
  rfq: ['max_unit_price_usd'],
  quote: [],
  fill: ['rfq_id', 'quote_id'],
  auction: ['reserve_usd', 'bids', 'clearing_price_usd'],
  forward: [],
  sla: [],
  dispute: ['resolved_at', 'award_usd', 'cites'],
};

describe('the extension market', () => {
  // @covers MARKET-OURS
  it('is ours when it has our schema, and private text otherwise', () => {
    const ours = stating(statements);
    expect(accepted(ours)).toMatchObject({ task: ours, privateText: null });
    for (const other of [{}, [], 'x', null, 1, { schema: 'counterfoil-market/2', capability: 1 }, [marketOf({})]]) {
      const read = accepted({ ...least, market: other });
      expect([read.task, read.privateText]).toEqual([least, `{"market":${JSON.stringify(other)}}`]);
    }
    // A copy of it in another member is not it.
    expect(accepted({ ...least, x: { market: marketOf({ sector: 'mine' }) } }).task).toEqual(least);
  });

  // @covers MARKET-UNKNOWN
  it.each(Object.keys(optional))('takes no unknown member, also not in %s', (name) => {
    expectIssue(stating({ more: 1 }), 'market.more');
    const statement: unknown = Reflect.get(statements, name);
    expectIssue(stating({ [name]: Object.assign({}, statement, { more: null }) }), `market.${name}.more`);
    expectIssue(stating({ [name]: [statement] }), `market.${name}`);
  });

  // @covers MARKET-OPTIONAL
  it.each(Object.entries(optional))('needs all members of %s but these: %j', (name, leftOut) => {
    const statement: object = Reflect.get(statements, name);
    for (const member of Object.keys(statement)) {
      const rest = Object.fromEntries(Object.entries(statement).filter(([other]) => other !== member));
      if (leftOut.includes(member))
        expect(accepted(stating({ [name]: rest })).task.market).toEqual(marketOf({ [name]: rest }));
      else expectIssue(stating({ [name]: rest }), `market.${name}.${member}`);
    }
    expect(accepted(stating({})).task.market).toEqual(marketOf({}));
  });

  // @covers MARKET-CAPABILITY
  it.each([
    'capability',
    'rfq.capability',
    'fill.capability',
    'auction.capability',
    'forward.capability',
    'sla.capability',
  ])('%s is a slug of at most 40 characters', (path) => expectMarketEdges(path, slugs, noSlugs));

  // @covers MARKET-CHOICES
  it.each([
    ['sector', ['build', 'know', 'serve', 'transact']],
    ['settlement.direction', ['receivable', 'payable']],
    ['settlement.rail', ['card', 'ach', 'sepa', 'wire', 'stablecoin', 'onchain', 'internal']],
    ['settlement.status', ['initiated', 'settled', 'failed', 'refunded']],
    ['rfq.status', ['open', 'filled', 'expired', 'cancelled']],
    ['fill.side', ['buy', 'sell']],
    ['auction.type', ['english', 'dutch', 'first_price', 'second_price']],
    ['auction.status', ['open', 'cleared', 'failed']],
    ['forward.status', ['open', 'delivered', 'defaulted', 'cancelled']],
    ['sla.metric', ['success_rate']],
    ['dispute.tier', ['automated', 'panel', 'appeal']],
    ['dispute.claim_type', ['non_delivery', 'quality', 'late', 'overcharge', 'scope', 'fraud', 'other']],
    ['dispute.status', ['open', 'resolved']],
    ['dispute.ruling', ['upheld', 'rejected', 'split', 'withdrawn']],
  ])('%s is one of %j', (path, choices) => expectMarketEdges(path, choices, noChoices));

  // @covers MARKET-TEXTS
  it.each([
    ['vendor', 64],
    ['counterparty', 64],
    ['segment', 40],
    ['workflow.name', 64],
    ['workflow.step', 64],
    ['settlement.counterparty', 64],
    ['fill.counterparty', 64],
    ['dispute.claimant', 128],
    ['dispute.respondent', 128],
  ])('%s is a text of 1 to %d characters without control characters', (path, most) => {
    expectMarketEdges(path, texts(most), [...noTexts, ...tooLong(most)]);
  });

  // @covers MARKET-IDS
  it.each([
    ...['workflow.id', 'settlement.invoice_id', 'rfq.rfq_id', 'quote.quote_id', 'quote.rfq_id', 'fill.fill_id'],
    ...['fill.rfq_id', 'fill.quote_id', 'auction.auction_id', 'forward.forward_id', 'sla.sla_id', 'dispute.case_id'],
  ])('%s is an id of 1 to 128 printable characters', (path) => expectMarketEdges(path, ids, noIds));

  // @covers MARKET-MONEY
  it.each([
    ...['outcome.value_usd', 'outcome.baseline_cost_usd', 'settlement.amount', 'rfq.max_unit_price_usd'],
    ...['quote.unit_price_usd', 'fill.unit_price_usd', 'auction.reserve_usd', 'auction.clearing_price_usd'],
    ...['forward.unit_price_usd', 'sla.penalty_usd', 'dispute.award_usd'],
  ])('%s is money: 0 to a billion with at most 6 decimals', (path) => expectMarketEdges(path, moneys, noMoneys));

  // @covers MARKET-QUANTITY
  it.each([
    'rfq.quantity',
    'quote.quantity',
    'fill.quantity',
    'auction.quantity',
    'forward.quantity',
  ])('%s is above 0 and at most a billion, with at most 6 decimals', (path) =>
    expectMarketEdges(path, quantities, noQuantities));

  // @covers MARKET-MOMENTS
  it.each([
    ...['settlement.due_at', 'settlement.settled_at', 'rfq.expires_at', 'quote.valid_until', 'auction.closes_at'],
    ...['forward.delivery_at', 'dispute.opened_at', 'dispute.resolved_at'],
  ])('%s is a real moment', (path) => expectMarketEdges(path, moments, noMoments));

  // @covers MARKET-DECIMALS
  it('counts decimals on the number as it was sent, without zeros at its end', () => {
    const sent = (number: string) =>
      `${JSON.stringify(least).slice(0, -1)},"market":{"schema":"counterfoil-market/1",${number}}}`;
    const value = (number: string) => sent(`"outcome":{"value_usd":${number}}`);
    for (const right of ['1.50000000', '10e-7', '1.5E0', '0.000000', '100000000.1234560000']) accepted(value(right));
    for (const wrong of ['1.0000000000000001', '0.10000000000000001', '1e-7', '12e-7', '-1e-400', '1e-400']) {
      expectIssue(value(wrong), 'market.outcome.value_usd');
    }
    const rate = (number: string) =>
      sent(
        `"settlement":{"invoice_id":"a","rail":"wire","currency":"EUR","amount":1,"status":"settled","usd_rate":${number}}`,
      );
    for (const right of ['1e-12', '1234.123456789012', '0.9823456789010000']) accepted(rate(right));
    for (const wrong of ['1e-13', '0.1234567890123', '1.0000000000000001'])
      expectIssue(rate(wrong), 'market.settlement.usd_rate');
  });

  // @covers MARKET-CURRENCY MARKET-RATE
  it('needs a rate above 0 with at most 12 decimals unless the currency is USD', () => {
    expectMarketEdges(
      'settlement.currency',
      ['USD', 'EUR', 'ABCDEFGHIJ'],
      ['EU', 'ABCDEFGHIJK', 'eur', 'EUR ', '', 978],
    );
    expectMarketEdges('settlement.usd_rate', [1e-12, 1, 25_000.5, 1_000_000], [0, -1, 1e-13, 1e20, '1', null]);
    const { usd_rate: _, ...rest } = statements.settlement;
    expectIssue(stating({ settlement: rest }), 'market.settlement.usd_rate');
    accepted(stating({ settlement: { ...rest, currency: 'USD' } }));
  });

  // @covers MARKET-FILL
  it('has at most one of rfq, auction and forward in a fill', () => {
    const { rfq_id: _, ...rest } = statements.fill;
    const [rfq_id, auction_id, forward_id] = ['r', 'a', 'f'];
    for (const right of [{}, { rfq_id }, { auction_id }, { forward_id }])
      accepted(stating({ fill: { ...rest, ...right } }));
    for (const wrong of [
      { rfq_id, auction_id },
      { rfq_id, forward_id },
      { auction_id, forward_id },
    ]) {
      expectIssue(stating({ fill: { ...rest, ...wrong } }), 'market.fill');
    }
  });

  // @covers MARKET-BIDS
  it('has a whole number of bids', () => {
    expectMarketEdges('auction.bids', [0, 1, 2 ** 53 - 1], [-1, 0.5, 2 ** 53, '1', null]);
  });

  // @covers MARKET-SLA
  it('has a rate of 0 to 1 or whole milliseconds as target, and a period that ends after it begins', () => {
    const { sla } = statements;
    expectMarketEdges('sla.target', [0, 0.9999999, 1], [-0.1, 1.01, '1', null]);
    const latency = (target: unknown) => stating({ sla: { ...sla, metric: 'latency_p95_ms', target } });
    for (const right of [0, 1, 60_000]) accepted(latency(right));
    for (const wrong of [0.5, -1, 2 ** 53, '1']) expectIssue(latency(wrong), 'market.sla.target');
    expectMarketEdges(
      'sla.period_end',
      ['2026-11-01T00:00:00.0001Z'],
      ['2026-11-01T00:00:00Z', '2026-11-01T00:30:00+01:00'],
    );
    expectMarketEdges('sla.period_start', ['2026-11-30T23:59:59.9Z'], ['2026-02-30T00:00:00Z', 0]);
  });

  // @covers MARKET-DISPUTE
  it('has a ruling in a dispute that is resolved, and at most 20 cited cases', () => {
    const { ruling: _, ...rest } = statements.dispute;
    expectIssue(stating({ dispute: rest }), 'market.dispute.ruling');
    accepted(stating({ dispute: { ...rest, status: 'open' } }));
    expectMarketEdges('dispute.cites', [[], Array(20).fill('c')], [Array(21).fill('c'), 'c', null]);
    expectIssue(stating({ dispute: { ...statements.dispute, cites: ['c', ''] } }), 'market.dispute.cites.1');
  });
});

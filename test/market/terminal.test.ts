import { describe, expect, it } from 'vitest';
import { terminalFeed } from '../../contracts/feeds/terminal.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { dayMs, hourMs } from '../../src/domain/market/state/windows.js';
import { readStatement } from '../../src/domain/market/statements.js';
import { terminalText } from './feed-at.js';
import { dollars, minuteMs, noon, receipt } from './made-receipts.js';
import { marketAt } from './travel.js';

/** The parts of the terminal at noon, checked against their description. */
function terminalOf(receipts: readonly PublicReceipt[]) {
  const feed = JSON.parse(terminalText(marketAt(receipts, [noon])));
  // No member is there that the description does not name.
  expect(terminalFeed.parse(feed)).toEqual(feed);
  return terminalFeed.parse(feed);
}

const many = (count: number, differences: Parameters<typeof receipt>[0]) =>
  Array.from({ length: count }, () => receipt(differences));
const yesterday = { ended_ms: noon - dayMs };
const costing = (amount: number) => ({ cost_micros: dollars(amount) });

describe('the terminal', () => {
  // @covers TERMINAL-EMPTY
  it('is empty and well formed without receipts', () => {
    const { summary, tickers, agents, counterparties, indices } = terminalOf([]);
    expect([tickers, agents, counterparties]).toEqual([[], [], []]);
    expect(indices.map(({ id, value, history }) => [id, value, history.length])).toEqual(
      ['CFX', 'CFX.BUILD', 'CFX.KNOW', 'CFX.SERVE', 'CFX.TRANSACT', 'CFX.COST', 'CFX.REL', 'CFX.LAT', 'CFX.HHI'].map(
        (id) => [id, null, 0],
      ),
    );
    expect(summary).toEqual({
      as_of: '2027-03-15T12:00:00.000Z',
      evidence: { receipts: 0, root: '', log_size: 0 },
      lists: {
        tickers: { bound: 500, total: 0 },
        agents: { bound: 200, total: 0 },
        counterparties: { bound: 200, total: 0 },
      },
      composite_index: null,
      composite_change_pct: null,
      network_reliability: null,
      avg_latency_p95: null,
      capabilities_tracked: 0,
      agents_tracked: 0,
      vendors_tracked: 0,
      volume_24h: 0,
      notional_24h: 0,
      top_movers: [],
    });
  });

  // @covers TERMINAL-SUMMARY
  it('sums up all tasks of 24 h, and counts what had a task in 30 days', () => {
    const { summary } = terminalOf([
      receipt({ status: 'success', ...costing(0.1), latency_ms: 100 }),
      receipt({ status: 'partial', ...costing(0.2), latency_ms: 100, capability: null, handle: '@bob' }),
      receipt({ status: 'policy_blocked', vendor: 'Beta', latency_ms: 9_999_999 }),
      receipt({ latency_ms: 10, capability: 'search' }),
      receipt({ latency_ms: 15, capability: 'search' }),
      // The window is open at its beginning and closed at t.
      receipt({ ended_ms: noon, capability: 'search', latency_ms: 1 }),
      receipt({ ended_ms: noon - dayMs, capability: 'triage', handle: '@cyd' }),
      receipt({ ended_ms: noon - 30 * dayMs, capability: 'old', vendor: 'Old', handle: '@old' }),
      receipt({ ended_ms: noon + 1, recorded_ms: noon, capability: 'early' }),
      receipt({ ended_ms: noon, recorded_ms: noon + 1, capability: 'unrecorded' }),
    ]);
    expect(summary).toMatchObject({
      network_reliability: 0.8,
      // code-review: one task, printed 100; search: three, printed 15. The other tasks have no ticker or were refused.
      avg_latency_p95: 36,
      capabilities_tracked: 3,
      agents_tracked: 3,
      vendors_tracked: 2,
      volume_24h: 6,
      notional_24h: 0.3,
    });
  });
});

describe('a ticker', () => {
  // @covers TERMINAL-TICKER
  it('has the figures of 24 h of its capability', () => {
    const { tickers } = terminalOf([
      receipt({ ...costing(1), sector: 'serve', latency_ms: 10 }),
      receipt({ ...costing(2), status: 'error', latency_ms: 20, vendor: 'Beta', handle: '@bob' }),
      // A success without a cost is no quantity; a cost of 0 is one.
      receipt({ cost_micros: null, latency_ms: 30 }),
      receipt({ ...costing(0), latency_ms: 40, vendor: 'Gamma' }),
      receipt({ ...costing(0.5), status: 'tool_denied', latency_ms: 5_000 }),
      receipt({ ...yesterday, ...costing(1.2), vendor: 'Delta', handle: '@dan' }),
      receipt({ ended_ms: noon - dayMs, ...costing(1.8), status: 'partial', handle: '@dan' }),
      receipt({ ended_ms: noon - 2 * dayMs, ...costing(999) }),
    ]);
    expect(tickers).toEqual([
      {
        symbol: 'CODE.REVIEW',
        capability: 'code-review',
        sector: 'serve',
        price_usd: 1.75,
        change_pct: -41.666667,
        volume_24h: 5,
        notional_24h: 3.5,
        success_rate: 0.75,
        refusal_rate: 0.2,
        latency_p50_ms: 20,
        latency_p95_ms: 40,
        agents: 2,
        vendors: 3,
        // 1.5 and 2 of 3.5 dollars.
        hhi: 5102.040816,
        thin: true,
        last_at: '2027-03-15T11:59:00.000Z',
        history: [
          { day: '2027-03-13', price_usd: 999, volume: 1 },
          { day: '2027-03-14', price_usd: 3, volume: 2 },
        ],
      },
    ]);
  });

  // @covers TERMINAL-TICKER
  it('is there for 30 days, with null where nothing was observed in 24 h', () => {
    const { tickers } = terminalOf([receipt({ ended_ms: noon - 30 * dayMs + 1, ...costing(1) })]);
    expect(tickers).toMatchObject([
      { price_usd: null, change_pct: null, success_rate: null, refusal_rate: null, latency_p95_ms: null, hhi: null },
    ]);
    expect(tickers).toMatchObject([{ volume_24h: 0, notional_24h: 0, agents: 0, thin: true, sector: 'know' }]);
  });

  // @covers TERMINAL-HISTORY
  it('has a history of the 30 days of UTC before that of t, late receipts too', () => {
    const startOfToday = noon - 12 * hourMs;
    const at = (ended_ms: number, amount: number) =>
      receipt({ ended_ms, recorded_ms: noon - 1, ...costing(amount), latency_ms: 1 });
    const [{ history } = { history: [] }] = terminalOf([
      at(startOfToday, 7),
      at(startOfToday - 1, 1),
      at(startOfToday - 30 * dayMs, 2),
      at(startOfToday - 30 * dayMs - 1, 3),
      receipt({ ended_ms: startOfToday - 5 * dayMs, status: 'error', ...costing(4) }),
    ]).tickers;
    expect(history).toEqual([
      { day: '2027-02-13', price_usd: 2, volume: 1 },
      { day: '2027-03-10', price_usd: null, volume: 1 },
      { day: '2027-03-14', price_usd: 1, volume: 1 },
    ]);
  });

  // @covers TERMINAL-ORDER
  it('is ordered by notional of 24 h, then by symbol', () => {
    const { tickers } = terminalOf([
      receipt({ capability: 'b', ...costing(1) }),
      receipt({ capability: 'a-b', ...costing(1) }),
      receipt({ capability: 'a1', ...costing(1) }),
      receipt({ capability: 'z', ...costing(2) }),
      receipt({ capability: 'y', ...yesterday, ...costing(9) }),
    ]);
    expect(tickers.map(({ symbol }) => symbol)).toEqual(['Z', 'A.B', 'A1', 'B', 'Y']);
  });

  // @covers TERMINAL-SECTOR
  it('has the sector of the receipt that was recorded first, in recorded order, whenever it ended', () => {
    const named = (sector: string, recorded_ms: number, hash: string, ended_ms = noon - minuteMs) =>
      receipt({ sector, recorded_ms, hash, ended_ms });
    const sectorOf = (...receipts: PublicReceipt[]) => terminalOf([receipt(), ...receipts]).tickers[0]?.sector;
    expect(sectorOf(named('build', noon - 5, 'b'), named('serve', noon - 5, 'a'))).toBe('serve');
    expect(sectorOf(named('build', noon - 5, 'b'), named('serve', noon - 6, 'c', noon - 90 * dayMs))).toBe('serve');
    expect(sectorOf(named('build', noon + 1, 'b'))).toBe('know');
  });

  // @covers TERMINAL-MOVERS
  it('is among the five top movers by the size of its change, when it is not thin', () => {
    const moving = (capability: string, now: number, workspaces = 3, tasks = 20) => [
      receipt({ capability, ...yesterday, ...costing(1) }),
      ...Array.from({ length: tasks }, (_, n) =>
        receipt({ capability, ...costing(now), workspace: `000000000000000${n % workspaces}` }),
      ),
    ];
    const { summary, tickers } = terminalOf([
      ...moving('a', 1.5),
      ...moving('b', 0.5),
      ...moving('c', 0.25),
      ...moving('d', 1),
      ...moving('e', 3),
      ...moving('f', 1.1),
      ...moving('thin', 9, 2),
      ...moving('rare', 9, 3, 19),
      ...many(20, { capability: 'new', ...costing(1) }),
    ]);
    expect(summary.top_movers).toEqual([
      { symbol: 'E', price_usd: 3, change_pct: 200 },
      { symbol: 'C', price_usd: 0.25, change_pct: -75 },
      { symbol: 'A', price_usd: 1.5, change_pct: 50 },
      { symbol: 'B', price_usd: 0.5, change_pct: -50 },
      { symbol: 'F', price_usd: 1.1, change_pct: 10 },
    ]);
    const thin = tickers.filter((one) => one.thin).map(({ symbol }) => symbol);
    expect(thin.sort()).toEqual(['NEW', 'RARE', 'THIN']);
  });
});

describe('a counterparty', () => {
  // @covers TERMINAL-COUNTERPARTIES
  it('is a vendor or a buyer of 30 days, with its share of those that have the same role', () => {
    const { counterparties } = terminalOf([
      receipt({ vendor: 'Acme', counterparty: 'Globex', ...costing(1) }),
      receipt({ vendor: 'Acme', handle: '@bob', ...costing(2) }),
      receipt({ vendor: 'Beta', counterparty: 'Acme', ...costing(1), handle: '@cyd' }),
      receipt({ vendor: '\uff5e', ...costing(2) }),
      receipt({ vendor: '\u{1f600}', ...costing(2) }),
      receipt({ vendor: 'Globex', counterparty: 'Old', ended_ms: noon - 29 * dayMs, ...costing(7) }),
      receipt({ vendor: 'Gone', counterparty: 'Gone', ended_ms: noon - 30 * dayMs, ...costing(9) }),
    ]);
    const rows = counterparties.map(({ name, role, tasks_24h, notional_24h, share_pct, agents }) => [
      name,
      role,
      tasks_24h,
      notional_24h,
      share_pct,
      agents,
    ]);
    expect(rows).toEqual([
      ['Acme', 'vendor', 2, 3, 37.5, 2],
      ['\uff5e', 'vendor', 1, 2, 25, 1],
      ['\u{1f600}', 'vendor', 1, 2, 25, 1],
      ['Acme', 'buyer', 1, 1, 50, 1],
      ['Beta', 'vendor', 1, 1, 12.5, 1],
      ['Globex', 'buyer', 1, 1, 50, 1],
      ['Globex', 'vendor', 0, 0, 0, 1],
      ['Old', 'buyer', 0, 0, 0, 1],
    ]);
  });

  // @covers TERMINAL-PARTY-RECORD
  it('has the record of its invoices, and the open disputes against its name', () => {
    const invoice = (tag: string, said: object, differences: Parameters<typeof receipt>[0] = {}) => ({
      ...receipt({ counterparty: 'Globex', ...differences }),
      statements: [
        readStatement({
          type: 'settlement',
          statement: JSON.stringify({ rail: 'card', currency: 'USD', amount: 10, status: 'initiated', ...said }),
        }),
      ],
      invoice: tag,
    });
    const dispute = (case_id: string, respondent: string, status: string) => ({
      ...receipt(),
      statements: [
        readStatement({
          type: 'dispute',
          statement: JSON.stringify({
            case_id,
            tier: 'panel',
            claim_type: 'late',
            claimant: 'Initech',
            respondent,
            status,
            opened_at: '2027-03-01T00:00:00Z',
            ...(status === 'resolved' ? { ruling: 'upheld' } : {}),
          }),
        }),
      ],
    });
    const due = new Date(noon - hourMs).toISOString();
    const late = new Date(noon - minuteMs).toISOString();
    const { counterparties } = terminalOf([
      invoice('a', { amount: 2.5 }),
      invoice('b', { amount: 3, counterparty: ' Initech ' }),
      invoice('c', { amount: 4, status: 'settled', due_at: due, settled_at: due }),
      invoice('d', { amount: 5, status: 'settled', due_at: due, settled_at: late }, { vendor: 'Beta' }),
      invoice('e', { amount: 6, status: 'settled', settled_at: due }),
      receipt({ counterparty: 'Initech' }),
      dispute('1', ' Globex', 'open'),
      dispute('2', 'Globex', 'open'),
      dispute('3', 'Globex', 'resolved'),
      dispute('4', '@ann', 'open'),
    ]);
    const rows = counterparties.map(({ name, role, settled_on_time_rate, open_disputes, exposure_usd }) => [
      name,
      role,
      settled_on_time_rate,
      open_disputes,
      exposure_usd,
    ]);
    expect(rows).toEqual([
      ['Acme', 'vendor', 1, 0, 5.5],
      ['Beta', 'vendor', 0, 0, 0],
      ['Globex', 'buyer', 0.5, 2, 2.5],
      ['Initech', 'buyer', null, 0, 3],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Market as MarketMember } from '../../contracts/market.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import { tradingFeed } from '../../src/domain/market/feeds/trading.js';
import { treasuryFeed } from '../../src/domain/market/feeds/treasury.js';
import { day, deskEconomy, deskLink, hour, minute, receiptsOf, startMs } from './desk-economy.js';
import type { TaskLink } from './economy.js';
import { cutToMinute, marketAt, momentAt } from './live.js';

const t = cutToMinute(startMs) + day;
const iso = (ms: number): string => new Date(ms).toISOString();

type Members = Omit<MarketMember, 'schema'>;

/** Workspaces 0 and 1 trade with each other. Workspace 2 and 3 are hostile. */
function statements(changes: { readonly price: number; readonly closed: boolean }): Record<string, Members> {
  const { price, closed } = changes;
  const capability = 'search';
  const work = { capability, quantity: 2, unit_price_usd: price };
  const soon = iso(t + (closed ? -hour : hour));
  return {
    rfq: { rfq: { rfq_id: 'R', capability, quantity: price, expires_at: soon, status: closed ? 'cancelled' : 'open' } },
    auction: {
      auction: {
        auction_id: 'A',
        capability,
        type: 'dutch',
        quantity: price,
        closes_at: soon,
        status: closed ? 'failed' : 'open',
      },
    },
    forward: { forward: { forward_id: 'W', ...work, delivery_at: soon, status: closed ? 'defaulted' : 'open' } },
    quote: {
      quote: { quote_id: 'Q', rfq_id: closed ? 'other' : 'R', unit_price_usd: price, quantity: 1, valid_until: soon },
    },
    sla: {
      capability,
      sla: {
        sla_id: 'S',
        capability,
        metric: 'success_rate',
        target: closed ? 1 : 0.5,
        penalty_usd: price,
        period_start: iso(startMs),
        period_end: iso(startMs + hour),
      },
    },
    settlement: {
      settlement: {
        invoice_id: 'I',
        rail: 'ach',
        currency: 'USD',
        amount: price,
        status: closed ? 'refunded' : 'initiated',
      },
    },
  };
}

const stating = (workspace: number, found: Record<string, Members>, from: number): TaskLink[] =>
  Object.values(found).map((market, at) =>
    deskLink({ workspace, seq: at + 1, recorded: from + at, ended: from + at, market }),
  );

const fill = (workspace: number, seq: number, side: 'buy' | 'sell', recorded: number): TaskLink => {
  const said = {
    fill_id: 'F',
    capability: 'search',
    quantity: 2,
    unit_price_usd: 3,
    side,
    counterparty: `of ${workspace}`,
  };
  return deskLink({ workspace, seq, recorded, ended: recorded, market: { fill: said } });
};

const victims = [
  ...stating(0, statements({ price: 3, closed: false }), startMs),
  fill(0, 20, 'buy', startMs + minute),
  fill(1, 21, 'sell', startMs + 2 * minute),
];

function feedsAt(links: readonly TaskLink[]) {
  const receipts = receiptsOf(links);
  const market = marketAt(t, receipts);
  const moment = momentAt(t, []);
  return {
    trading: JSON.parse(feedText(tradingFeed(market, moment))),
    treasury: JSON.parse(feedText(treasuryFeed(market, moment))),
  };
}

type Row = Readonly<Record<string, unknown>>;
const rowsOf = (rows: readonly Row[], known: readonly Row[], key: string) => {
  const keys = new Set(known.map((row) => row[key]));
  return rows.filter((row) => keys.has(row[key]));
};

describe('a hostile workspace', () => {
  const before = feedsAt(victims);

  // @covers DESK-OTHERS DESK-OWNER
  it.each([1, -1])('that re-uses ids changes no figure of their owners, with receipts added in order %s', (order) => {
    const hostile = [2, 3].flatMap((workspace) => [
      ...stating(workspace, statements({ price: 0.5, closed: true }), startMs + 3 * minute),
      fill(workspace, 20, 'buy', startMs + 4 * minute),
      fill(workspace, 21, 'sell', startMs + 5 * minute),
    ]);
    const links = [...victims, ...hostile];
    const after = feedsAt(order === 1 ? links : links.reverse());
    for (const list of ['rfqs', 'auctions', 'forwards'] as const) {
      expect(before.trading[list]).toHaveLength(1);
      expect(after.trading[list]).toEqual(before.trading[list]);
    }
    expect(before.trading.rfqs[0]).toMatchObject({ quotes: 1, best_quote: { quote_id: 'Q', unit_price_usd: 3 } });
    const confirmed = (rows: readonly Row[]) => rows.filter(({ state }) => state === 'confirmed');
    expect(confirmed(before.trading.fills)).toHaveLength(1);
    expect(confirmed(after.trading.fills)).toEqual(confirmed(before.trading.fills));
    expect(after.trading.summary.fees_24h).toBe(before.trading.summary.fees_24h);
    expect(rowsOf(after.trading.sla_instruments, before.trading.sla_instruments, 'agent')).toEqual(
      before.trading.sla_instruments,
    );
    expect(rowsOf(after.treasury.reconciliation, before.treasury.reconciliation, 'invoice')).toEqual(
      before.treasury.reconciliation,
    );
    expect(after.treasury.summary.outstanding_usd).toBe(before.treasury.summary.outstanding_usd);
    expect(after.trading.sla_instruments).toHaveLength(3);
    expect(after.treasury.reconciliation).toHaveLength(3);
  });

  // @covers DESK-OWNER
  it('owns an object by an earlier record, also when a later one is added first', () => {
    const first = deskLink({
      workspace: 3,
      seq: 1,
      recorded: startMs - minute,
      ended: startMs,
      market: statements({ price: 7, closed: false }).auction ?? {},
    });
    const feeds = [feedsAt([...victims, first]), feedsAt([first, ...victims])];
    for (const { trading } of feeds)
      expect(trading.auctions).toMatchObject([{ quantity: 7, receipt_hash: first.hash }]);
  });

  // @covers DESK-OTHERS
  it('changes no row of the market of others in a random economy', () => {
    const { entries, untilMs } = deskEconomy(77, 200);
    const own = entries.filter(({ entry }) => entry.workspace_id.at(-1) !== '3');
    const late = entries
      .filter(({ entry }) => entry.workspace_id.at(-1) === '3')
      .map(({ entry, hash }) => ({ entry: { ...entry, recorded_at: iso(untilMs + minute) }, hash }));
    const at = cutToMinute(untilMs) + 3 * minute;
    const feedOf = (links: readonly TaskLink[]) =>
      JSON.parse(feedText(tradingFeed(marketAt(at, receiptsOf(links)), momentAt(at, []))));
    const [without, attacked] = [feedOf(own), feedOf([...own, ...late])];
    const ofOwners = (rows: readonly Row[], key: string, known: readonly Row[]) =>
      rowsOf(rows, known, key).map(({ quotes, best_quote, spread_usd, mark_usd, unrealised_usd, ...row }) => row);
    for (const [list, key] of [
      ['rfqs', 'rfq_id'],
      ['auctions', 'auction_id'],
      ['forwards', 'forward_id'],
    ] as const) {
      expect(without[list].length).toBeGreaterThan(2);
      expect(ofOwners(attacked[list], key, without[list])).toEqual(ofOwners(without[list], key, without[list]));
    }
    const hashes = new Set(
      without.fills.filter(({ state }: Row) => state === 'confirmed').map((row: Row) => row.receipt_hash),
    );
    expect(hashes.size).toBeGreaterThan(0);
    const ofBefore = ({ trading }: { trading: { fills: Row[] } }) =>
      trading.fills.filter((row) => hashes.has(row.receipt_hash));
    expect(ofBefore({ trading: attacked })).toEqual(ofBefore({ trading: without }));
  });
});

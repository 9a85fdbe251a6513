import { describe, expect, it } from 'vitest';
import { discoveryFeed as contract } from '../../contracts/feeds/discovery.js';
import { agentRows } from '../../src/domain/market/feeds/agents.js';
import { discoveryFeed } from '../../src/domain/market/feeds/discovery.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import type { DirectoryFilters } from '../../src/domain/market/feeds/questions.js';
import { noCloses, openCloses } from '../../src/domain/market/indices/closes.js';
import { rate } from '../../src/domain/market/numbers/figure.js';
import { createMarket, type Market } from '../../src/domain/market/state/market.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { chain, identityOf, lost, now, tagOf } from './case-receipts.js';
import { random } from './random.js';

const [robot, silent] = [identityOf('r'), identityOf('s')];
const dayMs = 86_400_000;
const dollars = (amount: number) => amount * 1_000_000;

function given(receipts: readonly PublicReceipt[]): Market {
  const market = createMarket(now);
  market.add(receipts);
  market.identities.issue(robot, 'Résumé bot');
  market.identities.issue(silent, null);
  market.identities.verify(robot);
  return market;
}

const sectorChange = (sector: string) => (sector === 'build' ? rate(5, 2) : null);

function answer(market: Market) {
  const moment = { t: market.t, receipts: 12, root: 'ab', logSize: 3, closes: openCloses(noCloses) };
  const find = discoveryFeed(market, moment, { agents: agentRows(market), indices: { sectorChange } });
  return (filters: DirectoryFilters = {}) => JSON.parse(feedText(find(filters)));
}

const [one, two] = [chain(1), chain(2)];
const economy = [
  one.receipt({ capability: 'code-review', sector: 'build', cost_micros: dollars(3), platform: 'otel', agent: robot }),
  one.receipt({ handle: '@bob', agent: silent, vendor: 'Élan', capability: 'x', cost_micros: dollars(1) }),
  two.receipt({ capability: 'code-review', cost_micros: dollars(4), status: 'error', ended_ms: now - 2 * dayMs }),
  two.receipt({
    capability: null,
    vendor: 'Beta',
    status: 'policy_blocked',
    scope_violated: true,
    ended_ms: now - dayMs,
  }),
  two.receipt({ handle: '@old', vendor: 'Gone', ended_ms: now - 30 * dayMs }),
];

describe('rows of agents', () => {
  // @covers AGENT-ROWS
  it('are by notional of 30 days, and have the handle and the vendor of the newest task', () => {
    const rows = JSON.parse(feedText(agentRows(given(economy))));
    expect(rows.map(({ handle }: { handle: string }) => handle)).toEqual(['@ann', '@ann', '@bob']);
    expect(rows[0]).toEqual({
      agent_id: null,
      handle: '@ann',
      tag: tagOf(2),
      verified: false,
      vendor: 'Beta',
      platforms: ['sdk'],
      capabilities: ['CODE.REVIEW'],
      tasks_24h: 0,
      tasks_30d: 2,
      success_rate: 0,
      refusal_rate: 0.5,
      scope_violation_rate: 0.5,
      latency_p95_ms: 100,
      cost_per_success_usd: null,
      disputes: { won: 0, lost: 0, open: 0 },
      trust: 0,
      last_seen: new Date(now - dayMs).toISOString(),
    });
    expect(rows[1]).toMatchObject({
      agent_id: robot,
      tag: null,
      verified: true,
      platforms: ['otel'],
      tasks_24h: 1,
      cost_per_success_usd: 3,
    });
    expect(rows[2]).toMatchObject({ agent_id: silent, verified: false, vendor: 'Élan' });
  });

  // @covers AGENT-ROWS
  it('come after those with more notional, then are by handle, then by id or tag', () => {
    const [a, b] = [chain(0xb), chain(0xa)];
    const rows = agentRows(
      given([
        a.receipt(),
        b.receipt(),
        a.receipt({ agent: robot }),
        b.receipt({ handle: '@aaa' }),
        a.receipt({ handle: '@zzz', cost_micros: 1 }),
      ]),
    );
    expect(rows.map(({ handle, tag, agent_id }) => [handle, tag ?? agent_id])).toEqual([
      ['@zzz', a.tag],
      ['@aaa', b.tag],
      ['@ann', b.tag],
      ['@ann', a.tag],
      ['@ann', robot],
    ]);
  });
});

describe('discovery', () => {
  const ask = answer(given(economy));

  // @covers DISCOVERY-STATS DISCOVERY-SECTORS
  it('has sums of 30 days, and the sectors by notional of 24 h', () => {
    const { stats, sectors } = ask();
    expect(stats).toEqual({
      as_of: new Date(now).toISOString(),
      evidence: { receipts: 12, root: 'ab', log_size: 3 },
      lists: {
        agents: { bound: 200, total: 3 },
        vendors: { bound: 200, total: 3 },
        tape: { bound: 100, total: 12 },
      },
      agents: 3,
      verified_agents: 1,
      vendors: 3,
      capabilities: 2,
      sectors: 2,
      receipts_24h: 2,
      receipts_total: 12,
    });
    expect(sectors).toEqual([
      { sector: 'build', capabilities: 1, agents: 2, volume_24h: 1, notional_24h: 3, change_pct: 2.5 },
      { sector: 'know', capabilities: 1, agents: 1, volume_24h: 1, notional_24h: 1, change_pct: null },
    ]);
  });

  // @covers DISCOVERY-VENDORS
  it('has vendors by notional of 30 days', () => {
    expect(ask().vendors).toEqual([
      {
        vendor: 'Acme',
        agents: 2,
        capabilities: 1,
        tasks_24h: 1,
        tasks_30d: 2,
        notional_30d: 7,
        share_pct: 87.5,
        success_rate: 0.5,
        latency_p95_ms: 100,
        last_seen: new Date(now - 3_600_000).toISOString(),
      },
      expect.objectContaining({ vendor: 'Élan', agents: 1, notional_30d: 1, share_pct: 12.5 }),
      expect.objectContaining({
        vendor: 'Beta',
        success_rate: null,
        latency_p95_ms: null,
        share_pct: 0,
        capabilities: 0,
      }),
    ]);
  });

  // @covers DISCOVERY-TAPE
  it('has the newest 100 receipts on its tape, the newest record first', () => {
    expect(ask().tape.map(({ receipt_hash }: { receipt_hash: string }) => receipt_hash)).toEqual(
      economy.map(({ task }) => task.hash).toReversed(),
    );
    expect(ask().tape[1]).toEqual({
      at: new Date(now - dayMs).toISOString(),
      symbol: null,
      agent: `@ann~${tagOf(2)}`,
      vendor: 'Beta',
      status: 'policy_blocked',
      latency_ms: 100,
      cost_usd: null,
      receipt_hash: economy[3]?.task.hash,
    });
    const many = Array.from({ length: 130 }, () => two.receipt());
    const newest = many.slice(-100).map(({ task }) => task.hash);
    const mixed = [...many].sort((a, b) => a.task.hash.charCodeAt(63) - b.task.hash.charCodeAt(63));
    expect(
      given(mixed)
        .tape.newest()
        .map(({ hash }) => hash),
    ).toEqual(newest.toReversed());
  });

  // @covers DISCOVERY-FILTERS
  it.each([
    [{ q: 'RÉSUMÉ' }, ['@ann'], ['Acme']],
    [{ q: 'résumé' }, ['@ann'], ['Acme']],
    [{ q: 'code.rev' }, ['@ann', '@ann'], ['Acme', 'Beta']],
    [{ q: 'e\u0301lan' }, ['@bob'], ['Élan']],
    [{ q: 'beta' }, ['@ann'], ['Acme', 'Beta']],
    [{ q: 'acme' }, ['@ann'], ['Acme']],
    [{ q: 'no such' }, [], []],
    [{ q: '' }, ['@ann', '@ann', '@bob'], ['Acme', 'Élan', 'Beta']],
    [{ sector: 'know' }, ['@bob'], ['Élan']],
    [{ capability: 'code-review' }, ['@ann', '@ann'], ['Acme', 'Beta']],
    [{ verified: true }, ['@ann'], ['Acme']],
    [{ verified: false, q: '@' }, ['@ann', '@bob'], ['Acme', 'Élan', 'Beta']],
    [{ sector: 'know', q: 'beta' }, [], ['Beta']],
  ] as const)('keeps for %j the agents %j and the vendors %j', (filters, agents, vendors) => {
    const found = ask(filters);
    expect(found.agents.map(({ handle }: { handle: string }) => handle)).toEqual(agents);
    expect(found.vendors.map(({ vendor }: { vendor: string }) => vendor)).toEqual(vendors);
    expect(found.stats.lists).toMatchObject({ agents: { total: agents.length }, vendors: { total: vendors.length } });
    const { lists: _, ...stats } = found.stats;
    expect({ ...ask(), agents: 0, vendors: 0, stats: 0 }).toEqual({ ...found, agents: 0, vendors: 0, stats: 0 });
    expect(ask().stats).toMatchObject(stats);
  });

  // @covers DISCOVERY-FILTERS
  it('searches all agents and not only those that it shows', () => {
    const last = one.receipt({ handle: '@zz-needle' });
    const many = Array.from({ length: 250 }, (_, n) => one.receipt({ handle: `@a${n}`, cost_micros: 1 }));
    const found = answer(given([...many, last]));
    expect(found().agents).toHaveLength(200);
    expect(found().stats.lists.agents).toEqual({ bound: 200, total: 251 });
    expect(found({ q: 'needle' }).agents).toHaveLength(1);
  });

  // @covers DISCOVERY-FILTERS
  it('answers from its moment when the market has moved on', () => {
    const market = given(economy);
    const ask = answer(market);
    const then = ask({ q: '@' });
    market.add([two.receipt({ handle: '@new', vendor: 'New', capability: 'new' }), two.receipt({}, lost('c', '@ann'))]);
    expect(ask({ q: '@' })).toEqual(then);
  });

  // @covers DISCOVERY-STATS
  it('is as its description says, also for random receipts', () => {
    const { pick, whole } = random(5);
    const chains = [chain(1), chain(2)];
    const receipts = Array.from({ length: 200 }, () =>
      pick(chains).receipt({
        handle: pick(['@ann', '@bob']),
        capability: pick([null, 'x', 'code-review']),
        status: pick(['success', 'error', 'tool_denied']),
        cost_micros: pick([null, whole(1e9)]),
        ended_ms: now - whole(40 * dayMs),
      }),
    );
    for (const market of [given([]), given(receipts)]) expect(() => contract.parse(answer(market)())).not.toThrow();
  });
});

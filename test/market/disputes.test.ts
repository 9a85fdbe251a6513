import { describe, expect, it } from 'vitest';
import { type AgentRow, agentRows } from '../../src/domain/market/feeds/agents.js';
import { disputesFeed } from '../../src/domain/market/feeds/disputes.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import type { Moment } from '../../src/domain/market/feeds/head.js';
import type { DisputeFilters } from '../../src/domain/market/feeds/questions.js';
import { noCloses, openCloses } from '../../src/domain/market/indices/closes.js';
import { createMarket, type Market } from '../../src/domain/market/state/market.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { chain, identityOf, lost, now, open, tagOf } from './case-receipts.js';

const robot = identityOf('r');
const momentOf = (t: number): Moment => ({
  t,
  receipts: 0,
  root: '',
  logSize: 0,
  closes: openCloses(noCloses),
});

function given(receipts: readonly PublicReceipt[], t = now): Market {
  const market = createMarket(t);
  market.add(receipts);
  return market;
}

const agentOf = (market: Market, agent: string): AgentRow | undefined =>
  agentRows(market).find(({ agent_id, handle, tag }) => (agent_id ?? `${handle}~${tag}`) === agent);

const feedOf = (market: Market, filters: DisputeFilters = {}) =>
  JSON.parse(feedText(disputesFeed(market, momentOf(market.t))(filters)));

const caseOf = (market: Market, id: string) =>
  feedOf(market).cases.find((one: { case_id: string }) => one.case_id === id);

const none = { won: 0, lost: 0, open: 0 };

describe('a case counts', () => {
  // @covers DISPUTE-COUNTS
  it('against a handle of the workspace that owns it, and lowers its trust', () => {
    const [one, other] = [chain(1), chain(2)];
    const market = given([one.receipt(), other.receipt(), one.receipt({ handle: '@ops' }, lost('c', '@ann'))]);
    expect(agentOf(market, `@ann~${one.tag}`)?.disputes).toEqual({ ...none, lost: 1 });
    // The handle of the same name of another workspace is another agent.
    expect(agentOf(market, `@ann~${other.tag}`)?.disputes).toEqual(none);
    expect(caseOf(market, 'c').trust_impact).toBeLessThan(0);
  });

  // @covers DISPUTE-COUNTS
  it('against an identity of another workspace only when a second workspace states the same', () => {
    const [hers, hostile, second] = [chain(1), chain(2), chain(3)];
    const work = hers.receipt({ agent: robot });
    const claim = hostile.receipt({}, lost('c', robot));
    expect(agentOf(given([work, claim]), robot)?.disputes).toEqual(none);
    expect(caseOf(given([work, claim]), 'c').trust_impact).toBe(0);

    const differs = (said: Parameters<typeof lost>[2]) => second.receipt({}, lost('c', robot, said));
    for (const other of [differs({ ruling: 'split' }), differs({ respondent: identityOf('s') })])
      expect(agentOf(given([work, claim, other]), robot)?.disputes).toEqual(none);
    expect(agentOf(given([work, claim, second.receipt({}, open('c', robot))]), robot)?.disputes).toEqual(none);

    // The limit of the rule, which the texts of the figures state: two workspaces that work together.
    const agreed = given([work, claim, second.receipt({}, lost('c', robot, { tier: 'appeal' }))]);
    expect(agentOf(agreed, robot)?.disputes).toEqual({ ...none, lost: 1 });
    expect(caseOf(agreed, 'c')).toMatchObject({ tier: 'panel', trust_impact: expect.any(Number) });
  });

  // @covers DISPUTE-COUNTS
  it('against the handle of another workspace, written with its tag, only when a second workspace states the same', () => {
    const [hers, hostile, second] = [chain(1), chain(2), chain(3)];
    const [work, ann] = [hers.receipt(), `@ann~${hers.tag}`];
    const claim = hostile.receipt({}, lost('c', ann));
    expect(agentOf(given([work, claim]), ann)?.disputes).toEqual(none);
    expect(agentOf(given([work, claim, second.receipt({}, lost('c', ann))]), ann)?.disputes.lost).toBe(1);
    // `@ann` means an agent of the owner, anyone who states the same.
    const own = [hostile.receipt({}, lost('d', '@ann')), second.receipt({}, lost('d', '@ann'))];
    expect(agentOf(given([work, ...own]), ann)?.disputes).toEqual(none);
  });

  // @covers DISPUTE-COUNTS
  it('not because one workspace states it twice', () => {
    const [hers, hostile] = [chain(1), chain(2)];
    const claims = [hostile.receipt({}, lost('c', robot)), hostile.receipt({}, lost('c', robot))];
    expect(agentOf(given([hers.receipt({ agent: robot }), ...claims]), robot)?.disputes).toEqual(none);
  });

  // @covers DISPUTE-COUNTS
  it('no longer when the second workspace takes its statement back', () => {
    const [hers, hostile, second] = [chain(1), chain(2), chain(3)];
    const receipts = [
      hers.receipt({ agent: robot }),
      hostile.receipt({}, open('c', robot)),
      second.receipt({}, open('c', robot)),
    ];
    expect(agentOf(given(receipts), robot)?.disputes).toEqual({ ...none, open: 1 });
    const back = second.receipt({}, lost('c', robot, { ruling: 'withdrawn' }));
    expect(agentOf(given([...receipts, back]), robot)?.disputes).toEqual(none);
  });

  // @covers DISPUTE-COUNTS
  it('against an identity of which the owner has a public receipt, also when this comes later', () => {
    const owner = chain(1);
    const claim = owner.receipt({ handle: '@ops' }, lost('c', robot));
    expect(caseOf(given([claim]), 'c').trust_impact).toBe(0);
    const market = given([claim, owner.receipt({ agent: robot })]);
    expect(agentOf(market, robot)?.disputes).toEqual({ ...none, lost: 1 });
  });

  // @covers DISPUTE-HANDLE
  it('against the agent that the handle was recorded as when it was stated', () => {
    const owner = chain(1);
    const receipts = [
      owner.receipt(),
      owner.receipt({ handle: '@ops' }, lost('before', '@ann')),
      owner.receipt({ agent: robot }),
      owner.receipt({ handle: '@ops' }, lost('linked', '@ann')),
      owner.receipt(),
      owner.receipt({ handle: '@ops' }, lost('after', '@ann')),
    ];
    for (const order of [receipts, receipts.toReversed()]) {
      const market = given(order);
      expect([...market.cases.against(robot)].map(({ id }) => id)).toEqual(['linked']);
      expect(agentOf(market, `@ann~${owner.tag}`)?.disputes.lost).toBe(2);
    }
  });
});

describe('the owner of a case', () => {
  // @covers DISPUTE-OWNER
  it('is who stated it first; the same id of another workspace changes nothing', () => {
    const [owner, hostile] = [chain(1), chain(2)];
    const first = owner.receipt({}, open('c', '@ann'));
    const before = feedOf(given([first]));
    const takeover = hostile.receipt({}, lost('c', '@ann', { cites: ['x'], award_usd: 5 }));
    expect(feedOf(given([first, takeover]))).toEqual(before);
    expect(feedOf(given([takeover, first]))).toEqual(before);
    // By time, then by hash.
    const [a, b] = [chain(3), chain(4)].map((one) => one.receipt({ recorded_ms: now - 5 }, open('same', '@ann')));
    expect(caseOf(given([b, a].flatMap((one) => one ?? [])), 'same').receipt_hash).toBe(a?.task.hash);
  });

  // @covers DISPUTE-OWNER
  it('changes the case as a whole with its newest statement, by seq', () => {
    const owner = chain(1);
    const first = owner.receipt({}, lost('c', '@ann', { award_usd: 10, cites: ['a', 'b'] }));
    const second = owner.receipt({ recorded_ms: first.task.recorded_ms }, open('c', '@bob'));
    expect(caseOf(given([second, first]), 'c')).toMatchObject({
      respondent: '@bob',
      status: 'open',
      resolved_at: null,
      ruling: null,
      award_usd: null,
      cites: [],
      receipt_hash: second.task.hash,
    });
  });
});

describe('standards/disputes', () => {
  const [one, two] = [chain(1), chain(2)];
  const market = given([
    one.receipt({}, lost('b', '@ann', { tier: 'automated', award_usd: 0.1, cites: ['a', 'a', 'none'] })),
    one.receipt(
      {},
      lost('a', '@ann', { ruling: 'split', award_usd: 0.2, resolved_at: new Date(now - 2 * 86_400_000).toISOString() }),
    ),
    two.receipt({}, lost('c', '@zed', { ruling: 'rejected', claim_type: 'fraud', cites: ['a', 'c'] })),
    two.receipt({ ended_ms: now - 60_000 }, { ...open('d', 'Acme'), opened_at: new Date(now).toISOString() }),
  ]);

  // @covers DISPUTES-STATS
  it('has sums over the resolved cases', () => {
    expect(feedOf(market).stats).toMatchObject({
      lists: { cases: { bound: 500, total: 4 } },
      cases: 4,
      open: 1,
      resolved: 3,
      avg_resolution_hours: 40,
      automated_share_pct: 33.333333,
      upheld_share_pct: 33.333333,
      awards_usd: 0.3,
    });
    expect(feedOf(given([])).stats).toMatchObject({ cases: 0, avg_resolution_hours: null, awards_usd: 0 });
  });

  // @covers DISPUTES-CASES
  it('has the newest opened case first, then by id, with the cases that cite it', () => {
    const { cases } = feedOf(market);
    expect(cases.map(({ case_id, cited_by }: { case_id: string; cited_by: string[] }) => [case_id, cited_by])).toEqual([
      ['d', []],
      ['a', ['b', 'c']],
      ['b', []],
      ['c', ['c']],
    ]);
    expect(market.cases.openDisputes('Acme')).toBe(1);
    expect(market.cases.openDisputes('@zed')).toBe(0);
  });

  // @covers DISPUTES-FILTERS
  it('keeps the cases that are equal in each filter, and the sums of all', () => {
    const ids = (filters: DisputeFilters) =>
      feedOf(market, filters).cases.map(({ case_id }: { case_id: string }) => case_id);
    expect(ids({ claim_type: 'fraud' })).toEqual(['c']);
    expect(ids({ tier: 'panel', respondent: '@ann' })).toEqual(['a']);
    expect(ids({ ruling: 'split' })).toEqual(['a']);
    expect(ids({ respondent: '@an' })).toEqual([]);
    const { lists, ...stats } = feedOf(market, { claim_type: 'fraud' }).stats;
    expect(lists.cases).toEqual({ bound: 500, total: 1 });
    expect(feedOf(market).stats).toMatchObject(stats);
  });

  // @covers DISPUTES-FILTERS
  it('answers from its moment when the market has moved on', () => {
    const moving = given([one.receipt({}, open('e', '@ann'))]);
    const answer = disputesFeed(moving, momentOf(now));
    const before = feedText(answer({}));
    moving.add([one.receipt({}, lost('e', '@ann')), two.receipt({}, lost('f', '@ann', { cites: ['e'] }))]);
    expect(feedText(disputesFeed(moving, momentOf(now))({}))).not.toBe(before);
    expect(feedText(answer({}))).toBe(before);
  });
});

describe('trust', () => {
  const works = (owner = chain(7), successes = 9, failures = 1) => [
    ...Array.from({ length: successes }, () => owner.receipt()),
    ...Array.from({ length: failures }, () => owner.receipt({ status: 'error' })),
  ];
  const trusted = (receipts: readonly PublicReceipt[], t = now) =>
    feedText(agentOf(given(receipts, t), `@ann~${tagOf(7)}`)?.trust ?? null);

  // @covers AGENT-TRUST
  it('is the lower bound of the Wilson interval, without tasks outside their scope', () => {
    // Worked out with 50 digits elsewhere.
    expect(trusted(works())).toBe('59.584997');
    expect(trusted(works(chain(7), 10, 0))).toBe('72.24672');
    expect(trusted(works(chain(7), 0, 3))).toBe('0');
    const owner = chain(7);
    expect(trusted([...works(owner), owner.receipt({ status: 'tool_denied', scope_violated: true })])).toBe(
      '54.168179',
    );
    expect(trusted([chain(7).receipt({ status: 'policy_blocked' })])).toBe('null');
  });

  // @covers AGENT-TRUST TRUST-IMPACT
  it.each([
    [{ tier: 'automated' }, '58.393297', -1.1917],
    [{ tier: 'panel' }, '56.605747', -2.97925],
    [{ tier: 'appeal' }, '54.818197', -4.7668],
    [{ tier: 'appeal', claim_type: 'fraud' }, '50.051398', -9.5336],
    [{ tier: 'panel', ruling: 'split' }, '58.095372', -1.489625],
    [{ ruling: 'rejected' }, '59.584997', 0],
    [{ ruling: 'withdrawn' }, '59.584997', 0],
  ] as const)('with the case %j it is %s, and the case says the difference', (differences, expected, impact) => {
    const owner = chain(7);
    const receipts = [...works(owner, 9, 0), owner.receipt({ status: 'error' }, lost('c', '@ann', differences))];
    expect(trusted(receipts)).toBe(expected);
    expect(caseOf(given(receipts), 'c').trust_impact).toBe(impact);
  });

  // @covers AGENT-TRUST TRUST-IMPACT
  it('counts a lost case for 180 days from its resolution, and forever in the counts', () => {
    const owner = chain(7);
    const edge = now - 180 * 86_400_000;
    const at = (ms: number) => lost('c', '@ann', { resolved_at: new Date(ms).toISOString() });
    for (const [ms, impact] of [
      [edge, 0],
      [edge + 1, -2.97925],
      [now, -2.97925],
      [now + 1, 0],
    ] as const) {
      const market = given([...works(owner), owner.receipt({ status: 'tool_denied', handle: '@ops' }, at(ms))]);
      expect(caseOf(market, 'c').trust_impact).toBe(impact);
      expect(agentOf(market, `@ann~${owner.tag}`)?.disputes.lost).toBe(1);
    }
  });

  // @covers TRUST-IMPACT
  it('has no difference to name for an agent without trust', () => {
    const owner = chain(7);
    const idle = given([owner.receipt({ status: 'policy_blocked' }, lost('c', '@ann'))]);
    expect(caseOf(idle, 'c').trust_impact).toBeNull();
    expect(caseOf(given([owner.receipt({}, lost('c', 'Globex Ltd'))]), 'c').trust_impact).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import { tradingFeed } from '../../src/domain/market/feeds/trading.js';
import { day, hour, minute, receiptsOf } from './desk-economy.js';
import { feedsAt, iso, type Link, quote, rfq, stated, t } from './desk-given.js';
import type { TaskLink } from './economy.js';
import { follow, momentAt } from './live.js';
import { random } from './random.js';

describe('service levels', () => {
  const [from, to] = [t - 2 * day, t];
  const sla = (differences: object = {}) => ({
    sla: {
      sla_id: 's',
      capability: 'search',
      metric: 'success_rate' as const,
      target: 0.666667,
      penalty_usd: 4,
      period_start: iso(from),
      period_end: iso(to),
      ...differences,
    },
  });
  const task = (status: string, ended = from, more: Partial<Link> = {}) =>
    stated({ capability: 'search' }, { ended, recorded: t, task: { status }, ...more });

  // @covers SLA-MEASURED SLA-STATE
  it('are measured over all receipts of the agent in the period, and compared as printed', () => {
    const tasks = [task('success'), task('success', to - 1), task('error'), task('tool_denied')];
    const others = [
      task('error', to),
      task('error', from - 1),
      task('error', from, { workspace: 1 }),
      task('error', from, { identity: `agn_${'a'.repeat(32)}` }),
      stated({ capability: 'other' }, { ended: from, task: { status: 'error' } }),
    ];
    const level = (...links: readonly TaskLink[]) => feedsAt(links).sla_instruments[0];
    expect(level(stated(sla()), ...tasks, ...others)).toMatchObject({ measured: 0.666667, state: 'met' });
    expect(level(stated(sla({ target: 0.6666671 })), ...tasks)).toMatchObject({ state: 'breached', target: 0.666667 });
    expect(level(stated(sla({ period_end: iso(t + 1), target: 1 })), ...tasks)).toMatchObject({ state: 'running' });
    expect(level(stated(sla()))).toMatchObject({ measured: null, state: 'met' });
    expect(level(stated(sla()), task('policy_blocked'))).toMatchObject({ measured: null, state: 'met' });
    const slow = stated({ capability: 'search' }, { ended: from, recorded: t, task: { started_at: iso(from - 130) } });
    const latency = { metric: 'latency_p95_ms', target: 128 };
    expect(level(stated(sla(latency)), slow)).toMatchObject({ measured: 129, state: 'breached' });
    expect(level(stated(sla({ ...latency, target: 129 })), slow)).toMatchObject({ state: 'met' });
  });

  // @covers SLA-MEASURED
  it('are those of the agent of the first statement, and measured over its receipts in every workspace', () => {
    const identity = `agn_${'b'.repeat(32)}`;
    const links = [
      stated(sla(), { identity }),
      stated(sla({ penalty_usd: 5 })),
      task('error', from, { identity, workspace: 1 }),
    ];
    expect(feedsAt(links).sla_instruments).toMatchObject([{ agent: identity, measured: 0, penalty_usd: 5 }]);
    expect(feedsAt(links.toReversed()).sla_instruments).toEqual(feedsAt(links).sla_instruments);
  });

  // @covers SLA-MEASURED
  it('count a later receipt when it ended in the period, which does not contain its end', () => {
    const later = (status: string, ended: number) => task(status, ended, { recorded: t + 1 });
    const links = [stated(sla()), task('error', from), later('success', to - 1), later('error', to)];
    const following = follow(receiptsOf(links), t);
    following.advance(t + minute, random(1));
    const feed = JSON.parse(feedText(tradingFeed(following.market, momentAt(t, []))));
    expect(feed.sla_instruments).toMatchObject([{ measured: 0.5, state: 'breached' }]);
  });

  // @covers SLA-LISTED
  it('are listed until 30 days after their period, and come back with a new statement', () => {
    const ended = stated(sla({ period_start: iso(t - 60 * day), period_end: iso(t - 30 * day) }));
    expect(feedsAt([ended]).sla_instruments).toEqual([]);
    expect(feedsAt([ended], t - minute).sla_instruments).toHaveLength(1);
    const again = stated(sla(), { ended: t + minute, recorded: t + minute });
    const following = follow(receiptsOf([ended, task('error'), again]), t);
    following.advance(t + minute, random(1));
    const feed = JSON.parse(feedText(tradingFeed(following.market, momentAt(t, []))));
    expect(feed.sla_instruments).toMatchObject([{ measured: 0, state: 'breached' }]);
  });

  it('are not shown before their history was given', () => {
    const { market } = feedsAt([]);
    market.add(receiptsOf([stated(sla())]));
    expect(() => tradingFeed(market, momentAt(t, []))).toThrow('The history of');
  });
});

describe('routing', () => {
  const work = (handle: string, cost_usd: number, status: string, ended = t - hour) =>
    stated({ capability: 'search' }, { ended, task: { agent_handle: handle, cost_usd, status } });

  // @covers ROUTING-BEST ROUTING-SAVING
  it('prefers the lowest price for a success, then the first agent', () => {
    const links = [
      work('@dan', 1, 'success'),
      ...['success', 'error'].map((status) => work('@bob', 0.5, status)),
      work('@cyd', 3, 'success'),
      work('@eve', 4, 'success'),
      work('@fay', 5, 'success'),
      work('@gus', 0.1, 'error'),
    ];
    const [route] = feedsAt(links).routing;
    expect(route).toMatchObject({ capability: 'search', fee_usd: 0.00375, all_in_usd: 0.50375 });
    expect(route?.best).toMatchObject({ unit_price_usd: 0.5, success_rate: 0.5 });
    expect(route?.best.agent.startsWith('@bob~')).toBe(true);
    expect(route?.alternatives.map(({ agent }) => agent.slice(0, 4))).toEqual(['@dan', '@cyd', '@eve']);
    expect(route?.saving_pct).toBe(64.285714);
    expect(feedsAt(links.slice(0, 1)).routing).toMatchObject([{ alternatives: [], saving_pct: null }]);
  });

  // @covers ROUTING-PRICE
  it('takes the lower one of the mean cost of a day and of a live quote', () => {
    const links = [work('@ann', 0.000001, 'success'), work('@ann', 0.000002, 'partial')];
    expect(feedsAt(links).routing).toMatchObject([{ best: { unit_price_usd: 0.000002, success_rate: 0.5 } }]);
    const quoted = [...links, stated(rfq()), stated(quote('q', 0.000001)), stated(quote('p', 9))];
    expect(feedsAt(quoted).routing).toMatchObject([{ best: { unit_price_usd: 0.000001 } }]);
    const old = [work('@ann', 2, 'success', t - 2 * day), stated(rfq()), stated(quote('q', 7))];
    expect(feedsAt(old).routing).toMatchObject([{ best: { unit_price_usd: 7 } }]);
    expect(feedsAt([stated(rfq()), stated(quote('q', 7))]).routing).toEqual([]);
  });
});

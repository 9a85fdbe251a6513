import { describe, expect, it } from 'vitest';
import { attributionFeed } from '../../contracts/feeds/attribution.js';
import { makeAttribution } from '../../src/domain/market/feeds/attribution.js';
import { feedText } from '../../src/domain/market/feeds/feed-text.js';
import type { PublicReceipt } from '../../src/domain/market/state/receipt.js';
import { economy } from './economy.js';
import { cutToMinute, marketAt, momentAt } from './live.js';

const { receipts, untilMs } = economy({ seed: 21, receipts: 900 });
const t = cutToMinute(untilMs);
const feedAt = (moment: number, own: readonly PublicReceipt[]) => {
  const value = JSON.parse(feedText(makeAttribution(marketAt(moment, own), momentAt(moment, own))));
  return attributionFeed.parse(value, { reportInput: true });
};

/** A receipt of the economy with other facts. */
function receipt(seq: number, facts: Partial<PublicReceipt['task']>): PublicReceipt {
  const [model] = receipts;
  if (model === undefined) throw new Error('the economy has no receipt');
  const none = { outcome_value_micros: null, outcome_baseline_micros: null, outcome_accepted: null, segment: null };
  const run = { workflow: 'Filing', run: 'r', capability: 'a-b', status: 'success', ended_ms: t };
  const task = { ...model.task, ...none, ...run, recorded_ms: t, hash: `${seq}`.padStart(64, '0'), seq, ...facts };
  return { task, statements: [], invoice: null };
}

describe('the feed of attribution', () => {
  const feed = feedAt(t, receipts);

  // @covers ATTR-ROWS
  it('has the shape that the description names, and rows whose figures follow from each other', () => {
    expect(feed.agents.length).toBeGreaterThan(5);
    expect(feed.segments.length).toBeGreaterThan(2);
    for (const row of [feed.summary, ...feed.agents, ...feed.workflows, ...feed.segments]) {
      expect(row.net_usd).toBeCloseTo(row.value_usd - row.cost_usd, 5);
      if (row.roi !== null) expect(row.roi * row.cost_usd).toBeCloseTo(row.net_usd, 3);
    }
    expect(feed.agents.reduce((sum, { share_pct }) => sum + (share_pct ?? 0), 0)).toBeCloseTo(100, 3);
    const down = (rows: readonly { value_usd: number }[]) =>
      expect(rows.map((row) => row.value_usd)).toEqual(rows.map((row) => row.value_usd).sort((a, b) => b - a));
    for (const rows of [feed.agents, feed.workflows, feed.segments]) down(rows);
    expect(feed.summary.workflows).toBe(feed.workflows.length);
  });

  // @covers ATTR-WATERFALL
  it('has a waterfall whose net is the sum of its steps, and none without workflows', () => {
    const { waterfall } = feed;
    expect(waterfall.map(({ step }) => step)).toEqual([
      'baseline',
      'model_and_tool_cost',
      'failures_and_rework',
      'penalties',
      'fees',
      'net',
    ]);
    const amounts = waterfall.map(({ amount_usd }) => amount_usd);
    expect(amounts.at(-1)).toBeCloseTo(
      amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0),
      4,
    );
    expect((amounts[1] ?? 0) + (amounts[2] ?? 0)).toBeCloseTo(-feed.summary.cost_usd, 5);
    const none = feedAt(t, [receipt(1, {})]);
    expect([none.waterfall, none.workflows, none.agents]).toEqual([[], [], []]);
    expect([none.summary.value_usd, none.summary.roi, none.benchmark.length]).toEqual([0, null, 1]);
  });

  // @covers ATTR-VALUE ATTR-NO-SUCCESS ATTR-COST
  it('counts what was not accepted as 0, and shares nothing where no agent succeeded', () => {
    const outcome = (value: number, accepted: boolean | null) => ({
      outcome_value_micros: value,
      outcome_accepted: accepted,
      outcome_baseline_micros: 1_000_000,
    });
    const { summary, agents, waterfall } = feedAt(t, [
      receipt(1, { agent: '@a', cost_micros: 2_000_000, ...outcome(9_000_000, true) }),
      receipt(2, { agent: '@b', cost_micros: 1_000_000, status: 'tool_denied', ...outcome(5_000_000, false) }),
      receipt(3, { agent: '@b', cost_micros: null, status: 'error', run: 's', ...outcome(4_000_000, null) }),
    ]);
    expect(summary).toMatchObject({ value_usd: 13, cost_usd: 3, net_usd: 10, roi: 3.333333, workflows: 1 });
    expect(agents).toEqual([
      { agent: '@a', value_usd: 9, cost_usd: 2, net_usd: 7, roi: 3.5, share_pct: 100 },
      { agent: '@b', value_usd: 0, cost_usd: 1, net_usd: -1, roi: -1, share_pct: 0 },
    ]);
    expect(waterfall.map(({ amount_usd }) => amount_usd)).toEqual([3, -2, -1, 0, 0, 0]);
  });

  // @covers ATTR-BENCHMARK
  it('orders prices exactly, and counts the agents above each', () => {
    const priced = (agent: string, ...costs: number[]) =>
      costs.map((cost_micros, at) => receipt(agent.charCodeAt(1) * 10 + at, { agent, cost_micros, workflow: null }));
    const failure = receipt(1, { agent: '@b', cost_micros: 1, status: 'error', workflow: null });
    const { benchmark } = feedAt(t, [
      ...priced('@d', 2),
      ...priced('@c', 1, 1, 2),
      ...priced('@b', 1, 1, 1, failure.task.cost_micros ?? 0).slice(0, 3),
      failure,
      ...priced('@a', 2),
    ]);
    expect(benchmark).toEqual([
      { capability: 'a-b', agent: '@b', cost_per_success_usd: 0.000001, percentile: 66.666667, median: 0.000002 },
      { capability: 'a-b', agent: '@c', cost_per_success_usd: 0.000001, percentile: 66.666667, median: 0.000002 },
      { capability: 'a-b', agent: '@a', cost_per_success_usd: 0.000002, percentile: 0, median: 0.000002 },
      { capability: 'a-b', agent: '@d', cost_per_success_usd: 0.000002, percentile: 0, median: 0.000002 },
    ]);
    expect(feedAt(t, priced('@a', 5)).benchmark[0]).toMatchObject({ percentile: null, median: 0.000005 });
  });
});

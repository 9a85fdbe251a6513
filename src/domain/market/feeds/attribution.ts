import { bounds } from '../../../../contracts/feeds/bounds.js';
import { type Benchmark, benchmarkOf } from '../attribution/benchmark.js';
import { type Attribution, attributionOf, type Worth } from '../attribution/totals.js';
import { money, percent, rate, rounded } from '../numbers/figure.js';
import { listOf } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import { fees } from '../trading/fills.js';
import { penalties } from '../trading/service-level.js';
import type { FeedValue } from './feed-text.js';
import { feedHead, type Moment } from './head.js';

/** The value and the costs of the workflows of 30 days, and the agents from which they come. */
export function makeAttribution(market: Market, moment: Moment): FeedValue {
  const found = attributionOf(market.runs.workflows());
  const agents = listOf(found.agents, bounds.agents);
  const workflows = listOf(found.workflows, bounds.workflows);
  const segments = listOf(found.segments, bounds.segments);
  const benchmark = listOf(benchmarkOf(market.tasks), bounds.benchmark);
  const shared = found.agents.reduce((sum, [, { value }]) => sum + value, 0n);
  return {
    summary: {
      ...feedHead(moment, { agents, workflows, segments, benchmark }),
      ...worthOf(found.all),
      workflows: workflows.total,
    },
    agents: agents.rows.map(([agent, worth]) => ({
      agent,
      ...worthOf(worth),
      share_pct: percent(worth.value, shared),
    })),
    waterfall: waterfallOf(found, market),
    workflows: workflows.rows.map((row) => ({
      workflow: row.name,
      tag: row.tag,
      runs: row.runs,
      agents: row.agents,
      ...worthOf(row),
      success_rate: rate(row.successes, row.successes + row.failures),
    })),
    segments: segments.rows.map((row) => ({ segment: row.name, runs: row.runs, ...worthOf(row) })),
    benchmark: benchmark.rows.map(benchmarkRow),
  };
}

const worthOf = ({ value, cost }: Worth) => ({
  value_usd: money(value),
  cost_usd: money(cost),
  net_usd: money(value - cost),
  roi: rate(value - cost, cost),
});

/** The steps from the costs that the outcomes would have had otherwise to the amount that was saved. Costs are negative. */
function waterfallOf({ workflows, baseline, costOfSuccesses, costOfOthers }: Attribution, market: Market): FeedValue {
  if (workflows.length === 0) return [];
  const steps: readonly (readonly [string, bigint])[] = [
    ['baseline', baseline],
    ['model_and_tool_cost', -costOfSuccesses],
    ['failures_and_rework', -costOfOthers],
    ['penalties', -penalties(market)],
    ['fees', -fees(market)],
  ];
  const net = steps.reduce((sum, [, amount]) => sum + amount, 0n);
  return [...steps, ['net', net] as const].map(([step, amount]) => ({ step, amount_usd: money(amount) }));
}

const benchmarkRow = ({ capability, agent, price, percentile, median }: Benchmark) => ({
  capability,
  agent,
  cost_per_success_usd: rounded(price),
  percentile,
  median: rounded(median),
});

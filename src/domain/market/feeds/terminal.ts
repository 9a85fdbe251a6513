import { bounds } from '../../../../contracts/feeds/bounds.js';
import { quantile } from '../latency.js';
import { type Figure, money, ratio, rounded } from '../numbers/figure.js';
import { listOf } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import { successRate } from '../state/sums.js';
import type { FeedValue } from './feed-text.js';
import { feedHead, type Moment } from './head.js';
import type { SharedRows } from './rows.js';
import { topMovers } from './tickers.js';

export function terminalFeed(market: Market, moment: Moment, { indices, ...rows }: SharedRows): FeedValue {
  const lists = {
    tickers: listOf(rows.tickers, bounds.tickers),
    agents: listOf(rows.agents, bounds.agents),
    counterparties: listOf(rows.counterparties, bounds.counterparties),
  };
  const { all, capabilities, agents, vendors } = market.tasks;
  return {
    summary: {
      ...feedHead(moment, lists),
      composite_index: indices.composite.value,
      composite_change_pct: indices.composite.change,
      network_reliability: successRate(all.day),
      avg_latency_p95: averageP95(market),
      capabilities_tracked: capabilities.size,
      agents_tracked: agents.size,
      vendors_tracked: vendors.size,
      volume_24h: all.day.tasks,
      notional_24h: money(all.day.notional),
      top_movers: topMovers(market),
    },
    indices: indices.rows,
    tickers: lists.tickers.rows,
    agents: lists.agents.rows,
    counterparties: lists.counterparties.rows,
  };
}

/** The mean of the printed p95 of all tickers, weighted by their tasks that were not refused. */
function averageP95({ tasks }: Market): Figure | null {
  let [sum, weight] = [0n, 0n];
  for (const { day } of tasks.capabilities.values()) {
    const tasksOfDay = BigInt(day.successes + day.failures);
    sum += BigInt(quantile(day.latencies, 95) ?? 0) * tasksOfDay;
    weight += tasksOfDay;
  }
  const mean = ratio(sum, weight);
  return mean === null ? null : rounded(mean, 0);
}

import { quantile } from '../latency.js';
import { money, percent } from '../numbers/figure.js';
import { byAmountDown, byCodePoint } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import { successRate } from '../state/sums.js';
import type { PartyGroup } from '../state/task-groups.js';
import { timeText } from './head.js';

/** A vendor as `discovery` shows it. */
export type VendorRow = ReturnType<typeof vendorRow>;

/** All vendors with a task in 30 days: by notional of 30 days, then by name. */
export function vendorRows({ tasks }: Pick<Market, 'tasks'>): readonly VendorRow[] {
  return [...tasks.vendors]
    .sort(([a, x], [b, y]) => byAmountDown(x.month.notional, y.month.notional) || byCodePoint(a, b))
    .map(([vendor, group]) => vendorRow(vendor, group, tasks.all.month.notional));
}

function vendorRow(vendor: string, { day, month, agents, capabilities, lastMs }: PartyGroup, total: bigint) {
  return {
    vendor,
    agents: agents.size,
    capabilities: capabilities.size,
    tasks_24h: day.tasks,
    tasks_30d: month.tasks,
    notional_30d: money(month.notional),
    share_pct: percent(month.notional, total),
    success_rate: successRate(month),
    latency_p95_ms: quantile(month.latencies, 95),
    last_seen: timeText(lastMs),
  };
}

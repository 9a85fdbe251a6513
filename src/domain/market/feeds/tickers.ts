import type Fraction from 'fraction.js';
import { symbolOf } from '../../public-name.js';
import { dayOf, dayText } from '../indices/days.js';
import { quantile } from '../latency.js';
import { change, concentration, figureOf, money } from '../numbers/figure.js';
import { byAmountDown, byCodePoint } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import { price, priceUsd, refusalRate, successRate } from '../state/sums.js';
import type { CapabilityGroup, TaskGroup } from '../state/task-groups.js';
import { timeText } from './head.js';

/** With fewer tasks or workspaces in 24 h the figures of a capability say little. */
const [enoughTasks, enoughWorkspaces] = [20, 3];
const [historyDays, mostMovers] = [30, 5];

/** A row of `tickers`, as the feed shows it. */
export type Ticker = ReturnType<typeof tickerOf>;

/** All capabilities with a task in 30 days, the largest notional of 24 h first. */
export function tickersOf({ tasks, t }: Market): Ticker[] {
  return [...tasks.capabilities]
    .map(([capability, group]) => ({ capability, symbol: symbolOf(capability), group }))
    .sort((a, b) => byAmountDown(a.group.day.notional, b.group.day.notional) || byCodePoint(a.symbol, b.symbol))
    .map(({ capability, group }) => tickerOf(capability, tasks.sectorOf(capability), group, t));
}

function tickerOf(capability: string, sector: string, group: CapabilityGroup, t: number) {
  const { day } = group;
  const vendors = ofDay(group.vendors);
  return {
    symbol: symbolOf(capability),
    capability,
    sector,
    price_usd: priceUsd(day),
    change_pct: figureOf(priceChange(group)),
    volume_24h: day.tasks,
    notional_24h: money(day.notional),
    success_rate: successRate(day),
    refusal_rate: refusalRate(day),
    latency_p50_ms: quantile(day.latencies, 50),
    latency_p95_ms: quantile(day.latencies, 95),
    agents: ofDay(group.agents).length,
    vendors: vendors.length,
    hhi: concentration(vendors.map((vendor) => vendor.day.notional)),
    thin: isThin(group),
    last_at: timeText(group.lastMs),
    history: historyOf(group, t),
  };
}

/** The groups with a task in 24 h. */
const ofDay = (groups: ReadonlyMap<string, TaskGroup>): TaskGroup[] =>
  [...groups.values()].filter(({ day }) => day.tasks > 0);

/** The change of the price of 24 h against that of the 24 h before, in percent, exactly. */
const priceChange = ({ day, before }: CapabilityGroup): Fraction | null => change(price(day), price(before));

const isThin = ({ day, workspaces }: CapabilityGroup): boolean =>
  day.tasks < enoughTasks || workspaces.size < enoughWorkspaces;

/** The days of UTC before that of t that have a task, oldest first. */
function historyOf({ days }: CapabilityGroup, t: number) {
  const today = dayOf(t);
  return [...days]
    .filter(([day]) => day < today && day >= today - historyDays)
    .sort(([a], [b]) => a - b)
    .map(([day, sums]) => ({ day: dayText(day), price_usd: priceUsd(sums), volume: sums.tasks }));
}

/** The largest changes of a price, up or down, among capabilities that are not thin. */
export function topMovers({ tasks }: Market) {
  return [...tasks.capabilities]
    .flatMap(([capability, group]) => {
      const changed = isThin(group) ? null : priceChange(group);
      return changed === null ? [] : [{ symbol: symbolOf(capability), group, changed }];
    })
    .sort((a, b) => b.changed.abs().compare(a.changed.abs()) || byCodePoint(a.symbol, b.symbol))
    .slice(0, mostMovers)
    .map(({ symbol, group, changed }) => ({ symbol, price_usd: priceUsd(group.day), change_pct: figureOf(changed) }));
}

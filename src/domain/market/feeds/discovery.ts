import { bounds } from '../../../../contracts/feeds/bounds.js';
import { symbolOf } from '../../public-name.js';
import type { Indices } from '../indices/rows.js';
import { money } from '../numbers/figure.js';
import { byAmountDown, byCodePoint, listOf } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import type { Task } from '../state/receipt.js';
import type { AgentRow } from './agents.js';
import { createDirectory } from './directory.js';
import type { FeedValue } from './feed-text.js';
import { feedHead, type Moment, timeText } from './head.js';
import type { DirectoryFilters } from './questions.js';
import { vendorRows } from './vendors.js';

interface DirectoryRows {
  readonly agents: readonly AgentRow[];
  readonly indices: Pick<Indices, 'sectorChange'>;
}

/** The feed `discovery`, with functions of the moment only: the market may move on. */
export function discoveryFeed(
  market: Market,
  moment: Moment,
  { agents, indices }: DirectoryRows,
): (filters: DirectoryFilters) => FeedValue {
  const sectors = sectorRows(market, indices);
  const find = createDirectory(market, agents, vendorRows(market));
  const tape = { rows: market.tape.newest().map(tapeRow), bound: bounds.tape, total: moment.receipts };
  const stats = statsOf(market, moment, agents, sectors.length);
  return (filters) => {
    const found = find(filters);
    const lists = { agents: listOf(found.agents, bounds.agents), vendors: listOf(found.vendors, bounds.vendors), tape };
    return {
      stats: { ...feedHead(moment, lists), ...stats },
      sectors,
      agents: lists.agents.rows,
      vendors: lists.vendors.rows,
      tape: tape.rows,
    };
  };
}

function statsOf({ tasks }: Market, { receipts }: Moment, agents: readonly AgentRow[], sectors: number) {
  return {
    agents: agents.length,
    verified_agents: agents.filter(({ verified }) => verified).length,
    vendors: tasks.vendors.size,
    capabilities: tasks.capabilities.size,
    sectors,
    receipts_24h: tasks.all.day.tasks,
    receipts_total: receipts,
  };
}

/** The sectors with a task in 30 days: by notional of 24 h, then by name. */
function sectorRows({ tasks }: Market, { sectorChange }: Pick<Indices, 'sectorChange'>) {
  const sums = new Map<string, { capabilities: number; agents: Set<string>; volume: number; notional: bigint }>();
  for (const [capability, { day, agents }] of tasks.capabilities) {
    const sector = tasks.sectorOf(capability);
    const sum = sums.get(sector) ?? { capabilities: 0, agents: new Set(), volume: 0, notional: 0n };
    sums.set(sector, sum);
    sum.capabilities += 1;
    sum.volume += day.tasks;
    sum.notional += day.notional;
    for (const agent of agents.keys()) sum.agents.add(agent);
  }
  return [...sums]
    .sort(([a, x], [b, y]) => byAmountDown(x.notional, y.notional) || byCodePoint(a, b))
    .map(([sector, { capabilities, agents, volume, notional }]) => ({
      sector,
      capabilities,
      agents: agents.size,
      volume_24h: volume,
      notional_24h: money(notional),
      change_pct: sectorChange(sector),
    }));
}

const tapeRow = ({ ended_ms, capability, agent, vendor, status, latency_ms, cost_micros, hash }: Task) => ({
  at: timeText(ended_ms),
  symbol: capability === null ? null : symbolOf(capability),
  agent,
  vendor,
  status,
  latency_ms,
  cost_usd: cost_micros === null ? null : money(BigInt(cost_micros)),
  receipt_hash: hash,
});

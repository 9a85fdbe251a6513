import type { Decimal } from 'decimal.js';
import { symbolOf } from '../../public-name.js';
import type { Case } from '../disputes/case.js';
import { outcomeOf } from '../disputes/statement.js';
import { conduct, isLostAt, trustOf } from '../disputes/trust.js';
import { isIdentity } from '../fact.js';
import { quantile } from '../latency.js';
import { type Figure, figureOf, roundedDecimal } from '../numbers/figure.js';
import { byAmountDown, byCodePoint } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import { price, refusalRate, successRate, violationRate } from '../state/sums.js';
import type { AgentGroup } from '../state/task-groups.js';
import type { FeedValue } from './feed-text.js';
import { timeText } from './head.js';

/** The parts of the market that rows of agents are made from. */
type AgentSources = Pick<Market, 't' | 'tasks' | 'cases' | 'identities'>;

/** Cases that count against an agent. */
type DisputeCounts = Readonly<Record<'won' | 'lost' | 'open', number>>;

/** An agent as the feeds show it. */
export interface AgentRow {
  readonly [member: string]: FeedValue;
  /** Null for an agent that is a handle of a workspace. */
  readonly agent_id: string | null;
  readonly handle: string;
  /** Null for an identity. */
  readonly tag: string | null;
  readonly verified: boolean;
  readonly vendor: string;
  /** Symbols. */
  readonly capabilities: readonly string[];
  readonly disputes: DisputeCounts;
  readonly trust: Figure | null;
}

/** All agents with a task in 30 days: by notional of 30 days, handle, then id or tag. */
export function agentRows(market: AgentSources): readonly AgentRow[] {
  return [...market.tasks.agents].sort(byNotional).map(([agent, group]) => agentRow(market, agent, group));
}

function byNotional([idA, a]: readonly [string, AgentGroup], [idB, b]: readonly [string, AgentGroup]): number {
  return (
    byAmountDown(a.month.notional, b.month.notional) ||
    byCodePoint(a.handle, b.handle) ||
    byCodePoint(a.tag ?? idA, b.tag ?? idB)
  );
}

function agentRow(market: AgentSources, agent: string, group: AgentGroup): AgentRow {
  const { month, day, handle, tag, vendor } = group;
  const trust = agentTrust(market, agent);
  return {
    agent_id: isIdentity(agent) ? agent : null,
    handle,
    tag,
    verified: market.identities.isVerified(agent),
    vendor,
    platforms: [...group.platforms.keys()].sort(byCodePoint),
    capabilities: [...group.capabilities.keys()].map(symbolOf).sort(byCodePoint),
    tasks_24h: day.tasks,
    tasks_30d: month.tasks,
    success_rate: successRate(month),
    refusal_rate: refusalRate(month),
    scope_violation_rate: violationRate(month),
    latency_p95_ms: quantile(month.latencies, 95),
    cost_per_success_usd: figureOf(price(month)),
    disputes: disputeCounts(market.cases.against(agent)),
    trust: trust === null ? null : roundedDecimal(trust),
    last_seen: timeText(group.lastMs),
  };
}

/** The trust in an agent at t, from 0 to 100; null for one without a success or a failure in 30 days. */
export function agentTrust({ t, tasks, cases }: Omit<AgentSources, 'identities'>, agent: string): Decimal | null {
  const group = tasks.agents.get(agent);
  const own = group === undefined ? null : conduct(group.month);
  if (own === null) return null;
  return trustOf(
    own,
    [...cases.against(agent)].filter((one) => isLostAt(one, t)),
  );
}

/** The cases of all time that count against an agent. Withdrawn cases are in none of the numbers. */
export function disputeCounts(cases: Iterable<Case>): DisputeCounts {
  const counts = { won: 0, lost: 0, open: 0, withdrawn: 0 };
  for (const { state } of cases) counts[outcomeOf(state)] += 1;
  const { won, lost, open } = counts;
  return { won, lost, open };
}

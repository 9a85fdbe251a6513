import { type Figure, money } from '../numbers/figure.js';
import { byAmountDown, byCodePoint } from '../numbers/order.js';
import { percent } from '../numbers/ratio.js';
import type { Market } from '../state/market.js';
import type { PartyGroup } from '../state/task-groups.js';

/** Vendors run agents; buyers are those for whom tasks are done. */
export const roles = ['vendor', 'buyer'] as const;
export type Role = (typeof roles)[number];

/** The figures of a counterparty that come from invoices and cases. */
export interface PartyRecord {
  /** Of its invoices that were due in 30 days. */
  settledOnTimeRate(role: Role, name: string): Figure | null;
  /** The sum of its initiated invoices in millionths of a dollar. */
  exposure(role: Role, name: string): bigint;
  /** Open cases with this respondent. */
  openDisputes(name: string): number;
}

/** A row of `counterparties`, as the feed shows it. */
export type Counterparty = ReturnType<typeof counterpartyOf>;

/** All vendors and buyers with a task in 30 days, the largest notional of 24 h first. */
export function counterpartiesOf({ tasks }: Market, record: PartyRecord): Counterparty[] {
  const groups = { vendor: tasks.vendors, buyer: tasks.buyers };
  const totals = { vendor: notionalOf(groups.vendor), buyer: notionalOf(groups.buyer) };
  return roles
    .flatMap((role) => [...groups[role]].map(([name, group]) => ({ role, name, group })))
    .sort(
      (a, b) =>
        byAmountDown(a.group.day.notional, b.group.day.notional) ||
        byCodePoint(a.name, b.name) ||
        roles.indexOf(a.role) - roles.indexOf(b.role),
    )
    .map(({ role, name, group }) => counterpartyOf(role, name, group, totals[role], record));
}

function notionalOf(groups: ReadonlyMap<string, PartyGroup>): bigint {
  let sum = 0n;
  for (const { day } of groups.values()) sum += day.notional;
  return sum;
}

function counterpartyOf(role: Role, name: string, { day, agents }: PartyGroup, total: bigint, record: PartyRecord) {
  return {
    name,
    role,
    tasks_24h: day.tasks,
    notional_24h: money(day.notional),
    share_pct: percent(day.notional, total),
    agents: agents.size,
    settled_on_time_rate: record.settledOnTimeRate(role, name),
    open_disputes: record.openDisputes(name),
    exposure_usd: money(record.exposure(role, name)),
  };
}

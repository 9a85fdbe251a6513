import { figureOf, money, percent } from '../numbers/figure.js';
import { byAmountDown, byCodePoint } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import type { PartyGroup } from '../state/task-groups.js';
import { invoicesByParty, type PartyInvoices } from '../treasury/sums.js';

/** Vendors run agents; buyers are those for whom tasks are done. */
const roles = ['vendor', 'buyer'] as const;
type Role = (typeof roles)[number];

/** A row of `counterparties`, as the feed shows it. */
export type Counterparty = ReturnType<typeof counterpartyOf>;

/** All vendors and buyers with a task in 30 days, the largest notional of 24 h first. */
export function counterpartiesOf(market: Market): Counterparty[] {
  const { tasks, cases } = market;
  const groups = { vendor: tasks.vendors, buyer: tasks.buyers };
  const invoicesOf = invoicesByParty(market);
  const totals = { vendor: notionalOf(groups.vendor), buyer: notionalOf(groups.buyer) };
  return roles
    .flatMap((role) => [...groups[role]].map(([name, group]) => ({ role, name, group })))
    .sort(
      (a, b) =>
        byAmountDown(a.group.day.notional, b.group.day.notional) ||
        byCodePoint(a.name, b.name) ||
        roles.indexOf(a.role) - roles.indexOf(b.role),
    )
    .map(({ role, name, group }) =>
      counterpartyOf(role, name, group, {
        total: totals[role],
        invoices: invoicesOf(role, name),
        openDisputes: cases.openDisputes(name),
      }),
    );
}

function notionalOf(groups: ReadonlyMap<string, PartyGroup>): bigint {
  let sum = 0n;
  for (const { day } of groups.values()) sum += day.notional;
  return sum;
}

interface Beside {
  /** The notional of 24 h of all counterparties of this role. */
  readonly total: bigint;
  readonly invoices: PartyInvoices;
  readonly openDisputes: number;
}

function counterpartyOf(role: Role, name: string, { day, agents }: PartyGroup, beside: Beside) {
  const { total, invoices, openDisputes } = beside;
  return {
    name,
    role,
    tasks_24h: day.tasks,
    notional_24h: money(day.notional),
    share_pct: percent(day.notional, total),
    agents: agents.size,
    settled_on_time_rate: figureOf(invoices.settledOnTime),
    open_disputes: openDisputes,
    exposure_usd: money(invoices.exposure),
  };
}

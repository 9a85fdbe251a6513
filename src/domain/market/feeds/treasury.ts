import { bounds } from '../../../../contracts/feeds/bounds.js';
import type { FeedValue } from '../numbers/feed-text.js';
import { money } from '../numbers/figure.js';
import { listOf } from '../numbers/list.js';
import { figureOf } from '../numbers/ratio.js';
import type { Market } from '../state/market.js';
import type { Moment } from '../state/moment.js';
import { dayMs, monthMs } from '../state/windows.js';
import { currencies, currencyRow } from '../treasury/fx.js';
import { floatRows, railRows } from '../treasury/rails.js';
import { reconciled, reconciliationRow } from '../treasury/reconciliation.js';
import { isSettledIn, outstanding, settledOnTime, sumUsd } from '../treasury/sums.js';
import { workingCapital } from '../treasury/working-capital.js';
import { feedHead } from './head.js';

/** Invoices, which appear by their tags only. */
export function treasuryFeed({ invoices, t }: Market, moment: Moment): FeedValue {
  const all = invoices.at(t);
  const stated = all.filter(({ state: { endedMs } }) => endedMs > t - monthMs && endedMs <= t);
  const overdue = all.filter(({ state: { dueMs } }) => dueMs !== null && dueMs < t);
  const lists = {
    rails: listOf(railRows(stated), bounds.rails),
    reconciliation: reconciled(stated, bounds.reconciliation),
    fx: listOf(currencies(all.filter((invoice) => isSettledIn(invoice, t - monthMs, t))), bounds.fx),
    float: listOf(floatRows(all), bounds.float),
  };
  return {
    summary: {
      ...feedHead(moment, lists),
      settled_24h: money(sumUsd(all.filter((invoice) => isSettledIn(invoice, t - dayMs, t)))),
      outstanding_usd: money(outstanding(all)),
      overdue_usd: money(outstanding(overdue)),
      on_time_rate: figureOf(settledOnTime(all, t)),
    },
    rails: lists.rails.rows,
    reconciliation: lists.reconciliation.rows.map(reconciliationRow),
    fx: lists.fx.rows.map(currencyRow),
    float: lists.float.rows,
    working_capital: workingCapital(all, t),
  };
}

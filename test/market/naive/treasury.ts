import { byText, grouped, hours, type Line, ms, named, newest, within } from './lines.js';
import {
  add,
  compare,
  exact,
  minus,
  over,
  quantile,
  type Ratio,
  rounded,
  shown,
  sum,
  times,
  whole,
} from './numbers.js';

/** A settlement with a rate above a million, or of more than a billion dollars by its rate, counts as not stated. */
const isCounted = ({ amount, usd_rate = 1 }: { amount: number; usd_rate?: number }): boolean =>
  usd_rate <= 1e6 && compare(times(exact(amount), exact(usd_rate)), whole(1e9)) <= 0;

/** An invoice with all its statements, which are those of one workspace. */
function invoiceOf(tag: string, own: readonly Line[]) {
  const said = own.flatMap((line) =>
    line.market.settlement && isCounted(line.market.settlement) ? [{ ...line, said: line.market.settlement }] : [],
  );
  const inOrder = said.sort((a, b) => a.seq - b.seq);
  const state = newest(inOrder);
  const stated = inOrder.findLast(({ said }) => said.settled_at !== undefined)?.said.settled_at;
  const first = inOrder.find(({ said }) => said.status === 'settled');
  const rate = state.said.currency === 'USD' ? whole(1) : exact(state.said.usd_rate ?? 0);
  return {
    tag,
    state,
    said: state.said,
    rate,
    usd: rounded(times(exact(state.said.amount), rate)),
    due: state.said.due_at === undefined ? null : ms(state.said.due_at),
    settled: stated === undefined ? (first?.ended ?? null) : ms(stated),
    started: inOrder[0]?.ended ?? 0,
    isStated: (t: number) => within(state.ended, t, 720),
    cost: sum(inOrder.map(({ cost }) => cost ?? whole(0))),
    vendor: state.vendor,
    buyer: named(state.said.counterparty) ?? state.counterparty,
  };
}

type Invoice = ReturnType<typeof invoiceOf>;

const is =
  (...wanted: readonly string[]) =>
  ({ said }: Invoice): boolean =>
    wanted.includes(said.status);
const usdOf = (invoices: readonly Invoice[]): Ratio => sum(invoices.map(({ usd }) => usd));
const size = ([n, d]: Ratio): Ratio => [n < 0n ? -n : n, d];

export const naiveInvoices = (lines: readonly Line[]): Invoice[] =>
  [
    ...grouped(
      lines.filter(({ invoice }) => invoice !== null),
      ({ invoice }) => invoice ?? '',
    ),
  ].map(([tag, own]) => invoiceOf(tag, own));

export function naiveOnTime(invoices: readonly Invoice[], t: number): Ratio | null {
  const due = invoices.filter((one) => one.due !== null && within(one.due, t, 720));
  const onTime = due.filter(
    (one) => is('settled', 'refunded')(one) && one.settled !== null && one.settled <= (one.due ?? 0),
  );
  return over(whole(onTime.length), whole(due.length));
}

export const naiveExposure = (invoices: readonly Invoice[]): Ratio => usdOf(invoices.filter(is('initiated')));

function rails(stated: readonly Invoice[]) {
  return [...grouped(stated, ({ said }) => said.rail)]
    .sort((a, b) => compare(usdOf(b[1]), usdOf(a[1])) || byText(a[0], b[0]))
    .map(([rail, own]) => {
      const times = own
        .filter(is('settled', 'refunded'))
        .flatMap(({ settled, started }) => (settled === null ? [] : [Math.max(1, settled - started)]));
      const median = quantile(times, 50);
      return {
        rail,
        count: own.length,
        volume_usd: shown(usdOf(own)),
        success_rate: shown(
          over(whole(own.filter(is('settled')).length), whole(own.filter(is('settled', 'failed', 'refunded')).length)),
        ),
        median_settle_hours: median === null ? null : shown(over(whole(median), whole(hours(1)))),
      };
    });
}

const reconciliation = (stated: readonly Invoice[]) =>
  stated
    .map((one) => {
      const difference = minus(is('settled')(one) ? one.usd : whole(0), one.cost);
      const sign = compare(difference, whole(0));
      const state = !is('settled')(one) ? 'unmatched' : sign === 0 ? 'matched' : sign < 0 ? 'short' : 'over';
      return { invoice: one.tag, state, difference };
    })
    .sort(
      (a, b) =>
        compare(size(b.difference), size(a.difference)) || byText(a.state, b.state) || byText(a.invoice, b.invoice),
    )
    .map(({ difference, ...rest }) => ({ ...rest, difference_usd: shown(difference) }));

const fx = (settled: readonly Invoice[]) =>
  [
    ...grouped(
      settled.filter(({ said }) => said.currency !== 'USD'),
      ({ said }) => said.currency,
    ),
  ]
    .sort((a, b) => compare(usdOf(b[1]), usdOf(a[1])) || byText(a[0], b[0]))
    .map(([currency, own]) => {
      const volume = sum(own.map(({ said }) => exact(said.amount)));
      const weighted = sum(own.map(({ said, rate }) => times(exact(said.amount), rate)));
      const [last] = own.sort(
        (a, b) =>
          (b.settled ?? 0) - (a.settled ?? 0) ||
          b.state.recorded - a.state.recorded ||
          (a.state.hash < b.state.hash ? 1 : -1),
      );
      return {
        currency,
        volume: shown(volume),
        vwap_usd_rate: shown(over(weighted, volume), 12),
        last_usd_rate: shown(last?.rate ?? whole(0), 12),
      };
    });

/** The feed without the first members of its summary, as the page defines it, worked out from all receipts. */
export function naiveTreasury(lines: readonly Line[], t: number) {
  const all = naiveInvoices(lines);
  const stated = all.filter(({ isStated }) => isStated(t));
  const settledIn = (count: number) =>
    all.filter((one) => is('settled')(one) && one.settled !== null && within(one.settled, t, count));
  const daysOf = (direction: string) => {
    const own = all.filter(({ said }) => (said.direction ?? 'receivable') === direction);
    return over(times(whole(30), naiveExposure(own)), usdOf(own.filter(({ started }) => within(started, t, 720))));
  };
  const [dso, dpo] = [daysOf('receivable'), daysOf('payable')];
  return {
    summary: {
      settled_24h: shown(usdOf(settledIn(24))),
      outstanding_usd: shown(naiveExposure(all)),
      overdue_usd: shown(naiveExposure(all.filter(({ due }) => due !== null && due < t))),
      on_time_rate: shown(naiveOnTime(all, t)),
    },
    rails: rails(stated),
    reconciliation: reconciliation(stated),
    fx: fx(settledIn(720)),
    float: [...grouped(all.filter(is('initiated')), ({ said }) => said.rail)]
      .filter(([, own]) => usdOf(own)[0] > 0n)
      .sort((a, b) => compare(usdOf(b[1]), usdOf(a[1])) || byText(a[0], b[0]))
      .map(([rail, own]) => ({ rail, initiated_not_settled_usd: shown(usdOf(own)) })),
    working_capital: {
      dso_days: shown(dso),
      dpo_days: shown(dpo),
      cash_conversion_days: shown(dso === null || dpo === null ? null : add(dso, [-dpo[0], dpo[1]])),
    },
  };
}

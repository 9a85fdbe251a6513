import { Figure, money, rounded } from '../numbers/figure.js';
import { byAmountDown, byCodePoint } from '../numbers/order.js';
import { ratio } from '../numbers/ratio.js';
import { type Invoice, rateDecimals, settledMs } from '../state/invoice.js';
import { isRecordedBefore } from '../state/receipt.js';
import { grouped, sumUsd } from './sums.js';

/** The currencies of these settled invoices, the largest sum in dollars first. */
export function currencies(settled: readonly Invoice[]) {
  return [...grouped(settled, ({ state }) => state.currency)]
    .filter(([currency]) => currency !== 'USD')
    .map(([currency, invoices]) => ({ currency, invoices, usd: sumUsd(invoices) }))
    .sort((a, b) => byAmountDown(a.usd, b.usd) || byCodePoint(a.currency, b.currency));
}

export function currencyRow({ currency, invoices }: ReturnType<typeof currencies>[number]) {
  let [volume, weighted] = [0n, 0n];
  for (const { state } of invoices) {
    volume += state.amount;
    weighted += state.amount * state.rate;
  }
  const vwap = ratio(weighted, volume * 10n ** BigInt(rateDecimals));
  return {
    currency,
    volume: money(volume),
    vwap_usd_rate: vwap === null ? null : rounded(vwap, rateDecimals),
    last_usd_rate: new Figure(lastSettled(invoices).state.rate, rateDecimals),
  };
}

/** The invoice that was settled last; of several that were settled at once, the one that was recorded last. */
function lastSettled(invoices: readonly Invoice[]): Invoice {
  return invoices.reduce((last, one) => {
    const [a, b] = [settledMs(last) ?? 0, settledMs(one) ?? 0];
    return b > a || (b === a && isRecordedBefore(last.state, one.state)) ? one : last;
  });
}

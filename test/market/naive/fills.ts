import { byText, grouped, type Line, named, newest, symbol } from './lines.js';
import { exact, rounded, shown, times } from './numbers.js';

import { figure, stating } from './stating.js';
/** The fills of all time at t, newest first. */
export function fillsOf(lines: readonly Line[]) {
  const counting = [...grouped(stating(lines, 'fill'), ({ workspace, said }) => `${said.fill_id} ${workspace}`)].map(
    ([, own]) => newest(own),
  );
  const inOrder = counting.sort(
    (a, b) => lines.findIndex((l) => l.hash === a.hash) - lines.findIndex((l) => l.hash === b.hash),
  );
  const agreeing = grouped(inOrder, ({ said: { fill_id, capability, quantity, unit_price_usd } }) =>
    JSON.stringify([fill_id, capability, quantity, unit_price_usd]),
  );
  return [...agreeing.values()]
    .flatMap((group) => {
      const buy = group.find(({ said }) => said.side === 'buy');
      const sell = group.find(({ said }) => said.side === 'sell');
      const pair = buy && sell ? [buy, sell] : [];
      return [...(pair.length > 0 ? [pair] : []), ...group.filter((one) => !pair.includes(one)).map((one) => [one])];
    })
    .map((sides) => {
      const buy = sides.find(({ said }) => said.side === 'buy');
      const sell = sides.find(({ said }) => said.side === 'sell');
      const later = sides.reduce((a, b) => (inOrder.indexOf(b) > inOrder.indexOf(a) ? b : a));
      const exactly = times(exact(later.said.quantity), exact(later.said.unit_price_usd));
      const fee = sides.length === 2 ? rounded(times(exactly, [75n, 10_000n])) : null;
      return { buy, sell, later, at: Math.max(...sides.map(({ ended }) => ended)), notional: rounded(exactly), fee };
    })
    .sort(
      (a, b) => b.at - a.at || byText(a.later.said.fill_id, b.later.said.fill_id) || byText(a.later.hash, b.later.hash),
    );
}

export function fillRow({ buy, sell, later, at, notional, fee }: ReturnType<typeof fillsOf>[number]) {
  return {
    fill_id: later.said.fill_id,
    symbol: symbol(later.said.capability),
    quantity: figure(later.said.quantity),
    unit_price_usd: figure(later.said.unit_price_usd),
    notional_usd: shown(notional),
    fee_usd: shown(fee),
    state: fee === null ? 'reported' : 'confirmed',
    buyer: named(sell?.said.counterparty),
    seller: named(buy?.said.counterparty),
    rfq_id: buy?.said.rfq_id ?? sell?.said.rfq_id ?? null,
    auction_id: buy?.said.auction_id ?? sell?.said.auction_id ?? null,
    forward_id: buy?.said.forward_id ?? sell?.said.forward_id ?? null,
    quote_id: buy?.said.quote_id ?? sell?.said.quote_id ?? null,
    at: new Date(at).toISOString(),
    receipt_hash: later.hash,
  };
}

import { byText, evaluated, grouped, type Line, successesOf, symbol, within } from './lines.js';
import { compare, minus, over, quantile, type Ratio, rounded, shown, sum, times, whole } from './numbers.js';

export function routing(
  lines: readonly Line[],
  t: number,
  live: readonly { capability: string; agent: string; price: Ratio }[],
) {
  const ofCapability = grouped(
    lines.filter(({ ended, market }) => market.capability !== undefined && within(ended, t, 720)),
    ({ market }) => market.capability ?? '',
  );
  return [...ofCapability]
    .map(([capability, tasks]) => {
      const candidates = [...grouped(tasks, ({ agent }) => agent)].flatMap(([agent, own]) => {
        const costs = own
          .filter(({ ended }) => within(ended, t, 24))
          .flatMap(({ cost }) => (cost === null ? [] : [cost]));
        const mean = over(sum(costs), whole(costs.length));
        const quotes = live
          .filter((one) => one.capability === capability && one.agent === agent)
          .map(({ price }) => price);
        const prices = [...(mean === null ? [] : [rounded(mean)]), ...quotes].sort(compare);
        const rate = over(whole(successesOf(own)), whole(evaluated(own).length));
        const [price] = prices;
        if (price === undefined || rate === null || rate[0] === 0n) return [];
        const effective = over(price, rate) ?? price;
        const p95 = quantile(
          evaluated(own).map(({ latency }) => latency),
          95,
        );
        return [
          {
            agent,
            price,
            effective,
            row: { agent, unit_price_usd: shown(price), success_rate: shown(rate), latency_p95_ms: p95 },
          },
        ];
      });
      candidates.sort((a, b) => compare(a.effective, b.effective) || byText(a.agent, b.agent));
      const notional = sum(
        tasks.filter(({ ended }) => within(ended, t, 24)).flatMap(({ cost }) => (cost === null ? [] : [cost])),
      );
      return { capability, candidates, notional };
    })
    .filter(({ candidates }) => candidates.length > 0)
    .sort((a, b) => compare(b.notional, a.notional) || byText(symbol(a.capability), symbol(b.capability)))
    .map(({ capability, candidates }) => {
      const [best, ...others] = candidates;
      if (best === undefined) throw new Error('none');
      const mean = over(sum(candidates.map(({ effective }) => effective)), whole(candidates.length));
      const part = mean === null || candidates.length === 1 ? null : over(best.effective, mean);
      return {
        capability,
        best: best.row,
        alternatives: others.slice(0, 3).map(({ row }) => row),
        fee_usd: shown(times(best.price, [75n, 10_000n])),
        all_in_usd: shown(times(best.price, [10_075n, 10_000n])),
        saving_pct: shown(part === null ? null : times(whole(100), minus(whole(1), part))),
      };
    });
}

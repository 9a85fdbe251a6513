import { byText, evaluated, grouped, hours, type Line, ms, newest, successesOf } from './lines.js';
import { compare, exact, over, quantile, rounded, shown, whole } from './numbers.js';

import { stating } from './stating.js';
export function serviceLevels(lines: readonly Line[], t: number) {
  return [...grouped(stating(lines, 'sla'), ({ workspace, said }) => `${workspace} ${said.sla_id}`).values()]
    .map((own) => {
      const { said, hash } = newest(own);
      const first = own.reduce((a, b) => (b.seq < a.seq ? b : a));
      const [from, to] = [ms(said.period_start), ms(said.period_end)];
      const ofPeriod = evaluated(lines).filter(
        ({ agent, market, ended }) =>
          agent === first.agent && market.capability === said.capability && ended >= from && ended < to,
      );
      const isRate = said.metric === 'success_rate';
      const rate = over(whole(successesOf(ofPeriod)), whole(ofPeriod.length));
      const p95 = quantile(
        ofPeriod.map(({ latency }) => latency),
        95,
      );
      const printed = isRate ? (rate === null ? null : rounded(rate)) : p95 === null ? null : whole(p95);
      const difference = printed === null ? 0 : compare(printed, exact(said.target));
      const isBreached = isRate ? difference < 0 : difference > 0;
      const state = t < to ? 'running' : isBreached ? 'breached' : 'met';
      return { said, hash, agent: first.agent, to, state, measured: isRate ? shown(rate) : p95 };
    })
    .filter(({ to }) => to > t - hours(720))
    .sort((a, b) => b.to - a.to || byText(a.said.sla_id, b.said.sla_id) || byText(a.agent, b.agent));
}

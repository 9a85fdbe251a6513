import type { Decimal } from 'decimal.js';
import { bounds } from '../../../../contracts/feeds/bounds.js';
import type { Case } from '../disputes/case.js';
import type { CaseTotals } from '../disputes/totals.js';
import { isLostAt, trustImpact } from '../disputes/trust.js';
import { Figure, money, percent, rate, roundedDecimal } from '../numbers/figure.js';
import { listOf } from '../numbers/lists.js';
import type { Market } from '../state/market.js';
import { hourMs } from '../state/windows.js';
import { agentTrust } from './agents.js';
import type { FeedValue } from './feed-text.js';
import { feedHead, type Moment, timeText } from './head.js';
import type { DisputeFilters } from './questions.js';

/** The feed `standards/disputes`, with functions of the moment only: the market may move on. */
export function disputesFeed(market: Market, moment: Moment): (filters: DisputeFilters) => FeedValue {
  const { cases, t } = market;
  const [all, citations, trusts] = [cases.inOrder(), cases.citations(), trustOfLosers(market)];
  const stats = statsOf(cases.totals);
  return (filters) => {
    const shown = listOf(all.filter(isWanted(filters)), bounds.cases);
    return {
      stats: { ...feedHead(moment, { cases: shown }), ...stats },
      cases: shown.rows.map((one) => caseRow(one, impactAt(one, trusts, t), citations.get(one.id) ?? [])),
    };
  };
}

function statsOf({ cases, open, resolved, automated, upheld, awards, duration }: CaseTotals) {
  return {
    cases,
    open,
    resolved,
    avg_resolution_hours: rate(duration, resolved * hourMs),
    automated_share_pct: percent(automated, resolved),
    upheld_share_pct: percent(upheld, resolved),
    awards_usd: money(awards),
  };
}

const isWanted =
  ({ claim_type, tier, ruling, respondent }: DisputeFilters) =>
  ({ state }: Case): boolean =>
    (claim_type === undefined || state.claimType === claim_type) &&
    (tier === undefined || state.tier === tier) &&
    (ruling === undefined || state.ruling === ruling) &&
    (respondent === undefined || state.respondent === respondent);

/** The trust in each agent that has lost a case in 180 days; null where it has none. */
function trustOfLosers(market: Market): ReadonlyMap<string, Decimal | null> {
  const trusts = new Map<string, Decimal | null>();
  for (const agent of market.cases.agents()) {
    for (const one of market.cases.against(agent)) {
      if (!isLostAt(one, market.t)) continue;
      trusts.set(agent, agentTrust(market, agent));
      break;
    }
  }
  return trusts;
}

const noImpact = new Figure(0n, 0);

function impactAt(one: Case, trusts: ReadonlyMap<string, Decimal | null>, t: number): Figure | null {
  if (one.agent === null || !isLostAt(one, t)) return noImpact;
  const trust = trusts.get(one.agent) ?? null;
  return trust === null ? null : roundedDecimal(trustImpact(trust, one));
}

function caseRow({ id, state }: Case, impact: Figure | null, citedBy: readonly string[]) {
  return {
    case_id: id,
    tier: state.tier,
    claim_type: state.claimType,
    claimant: state.claimant,
    respondent: state.respondent,
    status: state.status,
    opened_at: timeText(state.openedMs),
    resolved_at: state.resolvedMs === null ? null : timeText(state.resolvedMs),
    ruling: state.ruling,
    award_usd: state.awardMicros === null ? null : money(BigInt(state.awardMicros)),
    trust_impact: impact,
    cites: state.cites,
    cited_by: citedBy,
    receipt_hash: state.hash,
  };
}

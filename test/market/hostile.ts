import { capabilities, day, hour, ids, type Members } from './honest.js';

const iso = (ms: number): string => new Date(ms).toISOString();
const capability = capabilities.review;

/** Statements with which a workspace tries to change what others have stated. @param prefix of the ids of its own objects */
export function hostileStatements(now: number, prefix = 'hostile') {
  const soon = iso(now + hour);
  const invoice = { invoice_id: ids.invoice, rail: 'wire', currency: 'USD', amount: 1e6, status: 'failed' } as const;
  const period = { period_start: iso(now - 3 * day), period_end: iso(now - hour) };
  const workflow = { id: ids.run, name: ids.workflow };
  const evaluated = {
    tier: 'appeal',
    claim_type: 'fraud',
    claimant: 'Bank',
    status: 'resolved',
    opened_at: iso(now),
  } as const;
  const traded = { fill_id: ids.fill, capability, quantity: 2, unit_price_usd: 3, counterparty: 'Acme' } as const;
  const objects: readonly Members[] = [
    { rfq: { rfq_id: ids.rfq, capability, quantity: 1, expires_at: soon, status: 'cancelled' } },
    { quote: { quote_id: ids.quote, rfq_id: ids.rfq, unit_price_usd: 0.01, quantity: 1, valid_until: soon } },
    { quote: { quote_id: ids.quote, rfq_id: 'another', unit_price_usd: 9, quantity: 1, valid_until: iso(now) } },
    {
      auction: {
        auction_id: ids.auction,
        capability,
        type: 'dutch',
        quantity: 9,
        closes_at: soon,
        status: 'cleared',
        bids: 7,
        clearing_price_usd: 0.01,
      },
    },
    {
      forward: {
        forward_id: ids.forward,
        capability,
        quantity: 9,
        unit_price_usd: 9,
        delivery_at: soon,
        status: 'defaulted',
      },
    },
  ];
  const fills: readonly Members[] = [
    { fill: { ...traded, side: 'buy' } },
    { fill: { ...traded, side: 'sell' } },
    { fill: { ...traded, side: 'sell', unit_price_usd: 0.01 } },
  ];
  const ofWorkspace: readonly Members[] = [
    { settlement: invoice },
    { sla: { sla_id: ids.sla, capability, metric: 'success_rate', target: 1, penalty_usd: 1e6, ...period } },
    { workflow, outcome: { value_usd: 1e6, baseline_cost_usd: 0 } },
    { workflow, outcome: { value_usd: 1e6, accepted: false } },
  ];
  const cases: readonly Members[] = [
    { dispute: { ...evaluated, case_id: ids.case, respondent: '@ann', ruling: 'rejected' } },
    { dispute: { ...evaluated, case_id: ids.ownCase, respondent: '@amy', ruling: 'withdrawn' } },
    {
      dispute: {
        ...evaluated,
        case_id: `${prefix}-citing`,
        respondent: 'Mallory',
        ruling: 'rejected',
        cites: [ids.case],
      },
    },
  ];
  return {
    objects,
    fills,
    ofWorkspace,
    cases,
    /** An invoice that the buyer of another workspace has not paid. */
    unpaid: (counterparty: string): Members => ({
      settlement: {
        ...invoice,
        invoice_id: `${prefix}-invoice`,
        status: 'initiated',
        due_at: iso(now - hour),
        counterparty,
      },
    }),
    /** A case of fraud against each of these. */
    accusations: (respondents: readonly string[]): readonly Members[] =>
      respondents.map((respondent) => ({
        dispute: { ...evaluated, case_id: `${prefix}-case-${respondent}`, respondent, ruling: 'upheld' },
      })),
  };
}

import { z } from 'zod';
import { field } from '../input.js';
import { dispute } from '../market.js';
import { countingCase, trustFormula } from './agents.js';
import { figure, type Meaning } from './figure.js';
import { feedHead } from './head.js';

const { tier, claim_type, respondent, status, ruling } = dispute.unwrap().shape;
const source = 'market.dispute';
const count = z.int().min(0);

const allTime = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window' | 'source'>) =>
  figure(schema, { ...meaning, window: 'all time', source });

const share = (formula: string) =>
  allTime(z.number().nullable(), { formula, unit: 'percent', whenNull: 'no case is resolved' });

/** A member of the newest statement of the owner. */
const stated = <S extends z.ZodType>(schema: S, member: string, unit = 'text', whenNull?: string) =>
  allTime(schema, {
    formula: `${member} of the newest public statement of the owner. The owner is the workspace whose public statement about the case was recorded first`,
    unit,
    ...(whenNull === undefined ? {} : { whenNull }),
  });

const stats = z.object({
  ...feedHead(['cases']),
  cases: allTime(count, { formula: 'Number of cases about which there is a public statement', unit: 'cases' }),
  open: allTime(count, { formula: 'Number of cases with the status open', unit: 'cases' }),
  resolved: allTime(count, { formula: 'Number of cases with the status resolved', unit: 'cases' }),
  avg_resolution_hours: allTime(z.number().nullable(), {
    formula: 'Mean of resolved_at − opened_at over the resolved cases, as their owners state them',
    unit: 'hours',
    whenNull: 'no case is resolved',
  }),
  automated_share_pct: share('100 × resolved cases of the tier automated / resolved cases'),
  upheld_share_pct: share('100 × resolved cases with the ruling upheld / resolved cases'),
  awards_usd: allTime(z.number(), { formula: 'Sum of award_usd of the resolved cases', unit: 'USD' }),
});

const caseRow = z
  .object({
    case_id: stated(z.string(), 'case_id'),
    tier: stated(tier, 'tier'),
    claim_type: stated(claim_type, 'claim_type'),
    claimant: stated(z.string(), 'claimant'),
    respondent: stated(z.string(), 'respondent'),
    status: stated(status, 'status'),
    opened_at: stated(z.iso.datetime(), 'opened_at', 'moment'),
    resolved_at: allTime(z.iso.datetime().nullable(), {
      formula:
        'resolved_at of the newest public statement of the owner; where it is resolved and states none, the ended_at of the receipt with the statement',
      unit: 'moment',
      whenNull: 'the case is open and no resolved_at is stated',
    }),
    ruling: stated(ruling.unwrap().nullable(), 'ruling', 'text', 'no ruling is stated'),
    award_usd: stated(z.number().nullable(), 'award_usd', 'USD', 'no award is stated'),
    trust_impact: figure(z.number().nullable(), {
      formula: `trust of the agent with this case − its trust without it, rounded once; 0 or less. 0 unless the case counts against an agent and was lost with resolved_at in the 180 days before t. Trust is ${trustFormula}`,
      unit: 'points',
      window: '30 days, and 180 days for cases',
      whenNull: 'the case counts and was lost in 180 days, and the agent has no success and no failure in 30 days',
      source: 'status, declared_scope, tool_calls, market.dispute',
    }),
    cites: z.array(stated(z.string(), 'A case_id in cites')).readonly(),
    cited_by: z
      .array(
        allTime(z.string(), {
          formula:
            'The case_id of a case whose owner cites this one in its newest public statement, each once, in the order of code points',
          unit: 'text',
        }),
      )
      .readonly(),
    receipt_hash: allTime(z.string(), {
      formula: 'Hash of the receipt with the newest public statement of the owner',
      unit: 'hex',
    }),
  })
  .meta({ id: 'DisputeCase', description: `A case. ${countingCase}.` });

export const disputesFeed = z
  .object({
    stats,
    cases: z.array(caseRow).readonly().describe('The newest opened_at first, then case_id.'),
  })
  .meta({
    id: 'DisputesFeed',
    description:
      'Disputes as workspaces state them. Names of claimants and respondents are as their submitters wrote them.',
  });

const equal = (member: string) => `Only cases whose ${member} is this one.`;

/** Each filter keeps the cases that are equal in its field. `stats` stay whole. */
export const disputeQuery = {
  claim_type: field(claim_type.optional().describe(equal('claim type')), 'invalid_request'),
  tier: field(tier.optional().describe(equal('tier')), 'invalid_request'),
  ruling: field(ruling.unwrap().optional().describe(equal('ruling')), 'invalid_request'),
  respondent: field(respondent.optional().describe(equal('respondent')), 'invalid_request'),
} as const;

import { z } from 'zod';
import { figure, type Meaning } from './figure.js';
import { feedHead } from './head.js';

const amount = z.number();
const month = '30 days';
/** The runs that the feed is about, as formulas name them. */
const ofRuns =
  'in the runs of all workflows; a workflow is a name in one workspace with at least one outcome in the window, a run is its receipts with one workflow.id';

const text = (formula: string, source: string) => figure(z.string(), { formula, unit: 'text', window: month, source });

const count = (formula: string, unit: string, source: string) =>
  figure(z.int().min(0), { formula, unit, window: month, source });

const dollars = (formula: string, source: string) => figure(amount, { formula, unit: 'USD', window: month, source });

const ratio = (meaning: Omit<Meaning, 'window'>) => figure(amount.nullable(), { ...meaning, window: month });

/** Value, cost, and what follows from the two. @param subject for example `the workflow` */
const worth = (value: string, subject: string) => ({
  value_usd: dollars(value, 'market.outcome.value_usd, market.outcome.accepted, market.workflow'),
  cost_usd: dollars(`Sum of cost_usd of the receipts of ${subject} ${ofRuns}`, 'cost_usd, market.workflow'),
  net_usd: dollars('value_usd − cost_usd of the same row', 'value_usd, cost_usd of the same row'),
  roi: ratio({
    formula: 'net_usd / cost_usd of the same row, from the exact amounts',
    unit: 'ratio',
    whenNull: 'cost_usd is 0',
    source: 'net_usd, cost_usd of the same row',
  }),
});

const outcomes = 'Sum of outcome.value_usd, where an outcome with accepted: false counts 0,';

const agent = z.object({
  agent: text(
    'The identity agn_… where the handle was linked with proof as the receipt was recorded, otherwise @handle~tag',
    'agent_handle',
  ),
  ...worth(
    'Sum of the Shapley values of the agent over the runs. A run gives its value in equal parts to the agents that succeeded in it, and what does not divide one micro-dollar each to the first of them by name',
    'the agent',
  ),
  share_pct: ratio({
    formula: '100 × value_usd of the agent / sum of value_usd of all agents',
    unit: 'percent',
    whenNull: 'the sum is 0',
    source: 'agents[].value_usd',
  }),
});

const step = z.object({
  step: figure(z.enum(['baseline', 'model_and_tool_cost', 'failures_and_rework', 'penalties', 'fees', 'net']), {
    formula: 'The name of the step. The steps have this order; there are none without workflows',
    unit: 'text',
    window: month,
    source: 'a constant',
  }),
  amount_usd: dollars(
    `baseline: sum of outcome.baseline_cost_usd ${ofRuns}. model_and_tool_cost: −(sum of cost_usd of their successes). failures_and_rework: −(sum of cost_usd of their other receipts). penalties: −(sum of penalty_usd of all service levels that are breached and have their period_end in the window). fees: −(sum of the fees of the confirmed fills of the window). net: the sum of the five steps, which is what was saved against the baseline and not summary.net_usd`,
    'market.outcome.baseline_cost_usd, cost_usd, market.sla, market.fill',
  ),
});

const workflow = z.object({
  workflow: text('The name of the workflow, in NFC and without spaces around it', 'market.workflow.name'),
  tag: text('The public tag of the workspace', 'the workspace of the receipt'),
  runs: count('Number of runs with a receipt in the window', 'runs', 'market.workflow.id'),
  agents: count('Number of agents with a receipt in these runs', 'agents', 'agent_handle, market.workflow'),
  ...worth(`${outcomes} of the runs of the workflow`, 'the workflow'),
  success_rate: ratio({
    formula: 'success / (success + partial + error) of the receipts of the workflow',
    unit: '0 to 1',
    whenNull: 'it has no receipt with one of these statuses',
    source: 'status, market.workflow',
  }),
});

const segment = z.object({
  segment: text(
    'The segment of runs: that of the first receipt of the run, in the order of its chain (seq), that names one',
    'market.segment',
  ),
  runs: count('Number of runs of this segment', 'runs', 'market.workflow.id, market.segment'),
  ...worth(`${outcomes} of the runs of the segment`, 'the runs of the segment'),
});

const benchmark = z.object({
  capability: text('The capability, as its slug', 'market.capability'),
  agent: text('An agent with at least one success of this capability that states a cost', 'agent_handle'),
  cost_per_success_usd: dollars(
    'The price: sum of cost_usd of all receipts of the agent and capability / number of its successes that state a cost',
    'cost_usd, status, market.capability',
  ),
  percentile: ratio({
    formula: '100 × number of agents of the capability with a higher price / (number of agents of the capability − 1)',
    unit: 'percent',
    whenNull: 'the capability has one agent with a price',
    source: 'benchmark[].cost_per_success_usd, before rounding',
  }),
  median: dollars(
    'The median of the prices of the agents of the capability: the one in the middle, or the mean of the two in the middle',
    'benchmark[].cost_per_success_usd, before rounding',
  ),
});

/** The value and the costs of workflows, and the agents from which they come. */
export const attributionFeed = z
  .object({
    summary: z.object({
      ...feedHead(['agents', 'workflows', 'segments', 'benchmark']),
      ...worth(`${outcomes} ${ofRuns}. Runs in which no agent succeeded count too`, 'everybody'),
      workflows: count('Number of workflows', 'workflows', 'market.workflow.name, market.outcome'),
    }),
    agents: z.array(agent),
    waterfall: z.array(step),
    workflows: z.array(workflow),
    segments: z.array(segment),
    benchmark: z.array(benchmark),
  })
  .meta({ id: 'AttributionFeed' });

import { z } from 'zod';
import { figure, type Meaning } from './figure.js';

const ofMonth = <S extends z.ZodType>(schema: S, meaning: Omit<Meaning, 'window'>) =>
  figure(schema, { ...meaning, window: '30 days' });

const text = (formula: string, source: string) => ofMonth(z.string(), { formula, unit: 'text', source });

const count = z.int().min(0);

/** A case that counts, as the formulas name it. */
export const countingCase =
  'A case counts against an agent when its respondent is @handle (the agent that this handle of the owner is recorded as), ' +
  'an agn_… under which the owner has a public receipt, or an agn_… or @handle~tag about which a second workspace states the same ' +
  'case_id, respondent, status and ruling in its newest statement. Two workspaces that work together can make a case count';

const disputes = (formula: string) =>
  figure(count, {
    formula: `${formula}. ${countingCase}`,
    unit: 'cases',
    window: 'all time',
    source: 'market.dispute: case_id, respondent, status, ruling',
  });

/** How the trust of an agent is computed. */
export const trustFormula =
  '100 × W × S × D, rounded once. W is the lower bound of the 95 % Wilson interval with z = 1.959964 of successes among ' +
  'n = success + partial + error of 30 days: (2s + z² − z√(z² + 4s(n − s)/n)) / (2(n + z²)) for s successes. S = 1 − tasks with scope ' +
  'violations / tasks of 30 days. D is the product of 1 − impact over the cases that count and were lost (ruling upheld or split) with ' +
  'resolved_at in the 180 days before t. The impact is 0.02 for the tier automated, 0.05 for panel and 0.08 for appeal, doubled for the claim type ' +
  `fraud, and half for the ruling split. ${countingCase}`;

/** An agent, as `terminal` and `discovery` show it. */
export const agentRow = z
  .object({
    agent_id: ofMonth(z.string().nullable(), {
      formula:
        'The identity to which the submitting workspace had linked the handle with proof as the receipt was recorded',
      unit: 'text',
      whenNull: 'the handle was not linked with proof',
      source: 'agent_handle, links of agents',
    }),
    handle: text('Handle of the newest task: by ended_at, then in recorded order', 'agent_handle, ended_at'),
    tag: ofMonth(z.string().nullable(), {
      formula: 'Public tag of the workspace of the agent',
      unit: 'hex',
      whenNull: 'agent_id is there',
      source: 'the workspace',
    }),
    verified: figure(z.boolean(), {
      formula:
        'Whether the registry has an entry by t that the key of the identity was held when a challenge was signed. It does not say that a name is true',
      unit: 'true or false',
      window: 'at t',
      source: 'identity.verified entries of the registry',
    }),
    vendor: text(
      'Vendor of the newest task, as its submitter wrote it: market.vendor, otherwise the vendor of the identity, otherwise the platform',
      'market.vendor, platform',
    ),
    platforms: z.array(text('A platform of its tasks, in the order of code points', 'platform')).readonly(),
    capabilities: z
      .array(text('The symbol of a capability of its tasks, in the order of code points', 'market.capability'))
      .readonly(),
    tasks_24h: figure(count, { formula: 'Number of its tasks', unit: 'tasks', window: '24 h', source: 'ended_at' }),
    tasks_30d: ofMonth(count, { formula: 'Number of its tasks', unit: 'tasks', source: 'ended_at' }),
    success_rate: ofMonth(z.number().nullable(), {
      formula: 'success / (success + partial + error)',
      unit: '0 to 1',
      whenNull: 'no task succeeded or failed',
      source: 'status',
    }),
    refusal_rate: ofMonth(z.number().nullable(), {
      formula: '(tool_denied + policy_blocked) / tasks',
      unit: '0 to 1',
      whenNull: 'there is no task',
      source: 'status',
    }),
    scope_violation_rate: ofMonth(z.number().nullable(), {
      formula: 'Tasks that called a tool outside their declared scope / tasks',
      unit: '0 to 1',
      whenNull: 'there is no task',
      source: 'declared_scope, tool_calls',
    }),
    latency_p95_ms: ofMonth(count.nullable(), {
      formula:
        'The 95 % quantile of ended_at − started_at of tasks that were not refused: the middle of the bucket of the ⌈0.95 n⌉-th smallest, exact below 50 ms and within 1 % above',
      unit: 'milliseconds',
      whenNull: 'every task was refused',
      source: 'started_at, ended_at, status',
    }),
    cost_per_success_usd: ofMonth(z.number().nullable(), {
      formula: 'Sum of cost_usd of all its tasks / number of its successes that state a cost',
      unit: 'USD',
      whenNull: 'no success states a cost',
      source: 'cost_usd, status',
    }),
    disputes: z.object({
      won: disputes('Number of resolved cases that count against the agent with the ruling rejected'),
      lost: disputes('Number of resolved cases that count against the agent with the ruling upheld or split'),
      open: disputes('Number of open cases that count against the agent'),
    }),
    trust: figure(z.number().nullable(), {
      formula: trustFormula,
      unit: 'points, 0 to 100',
      window: '30 days, and 180 days for cases',
      whenNull: 'no task succeeded or failed in 30 days',
      source: 'status, declared_scope, tool_calls, market.dispute',
    }),
    last_seen: ofMonth(z.iso.datetime(), {
      formula: 'The ended_at of the newest task that ended at t or before',
      unit: 'moment',
      source: 'ended_at',
    }),
  })
  .meta({
    id: 'AgentRow',
    description: 'An agent with a task in 30 days. By notional of 30 days, handle, then agent_id or tag.',
  });

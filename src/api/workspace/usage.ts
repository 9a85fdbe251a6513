import { planLimits, usage } from '../../../contracts/plans.js';
import { membersOf, pauseOf, rulesOf } from '../../../projections/account/queries.js';
import { meterOf } from '../../../projections/meter/queries.js';
import { monthAfter, monthOf, signsIn } from '../../domain/plan.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';

export const usageOperation = operation({
  method: 'GET',
  path: '/v1/usage',
  summary: 'What the plan allows, and how much of it is used',
  access: 'memory.read',
  answers: { 200: usage },
  refusals: [],
  documentation: {
    id: 'getUsage',
    description: 'Actions are the receipts of writes, deletes and decisions. Reads, searches and checks do not count.',
    answers: {
      200: {
        body: {
          plan: 'free',
          month: '2026-03',
          actions: { used: 4211, limit: 10_000 },
          memories: { used: 3980, limit: 10_000 },
          people: { used: 2, limit: 2 },
          resets_at: '2026-04-01T00:00:00.000Z',
          paused: { since: samples.at, by: samples.person, receipt_id: samples.receipt },
        },
      },
    },
  },
  async handle({ caller: { workspaceId } }, { reading: { read, now } }) {
    const month = monthOf(now().toISOString());
    const { rules, meter, people, paused } = await read(async (tx) => ({
      rules: await rulesOf(tx, workspaceId),
      meter: await meterOf(tx, workspaceId, month),
      people: (await membersOf(tx, workspaceId)).filter(signsIn).length,
      paused: await pauseOf(tx, workspaceId),
    }));
    const { plan, agreedActions } = rules;
    const { actions, memories, people: seats } = planLimits[plan];
    return {
      status: 200,
      body: {
        plan,
        month,
        actions: { used: meter.actions, limit: agreedActions ?? actions },
        memories: { used: meter.memories, limit: memories },
        people: { used: people, limit: seats },
        resets_at: monthAfter(month),
        paused,
      },
    };
  },
});

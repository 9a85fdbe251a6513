import { planLimits, usage } from '../../../contracts/plans.js';
import { membersOf, rulesOf } from '../../../projections/account/queries.js';
import { meterOf } from '../../../projections/meter/queries.js';
import { monthAfter, monthOf, signsIn } from '../../domain/plan.js';
import { endpoint } from '../operation.js';

export const usageEndpoint = endpoint({
  method: 'GET',
  path: '/v1/usage',
  summary: 'What the plan allows, and how much of it is used',
  access: 'memory.read',
  query: {},
  body: {},
  answers: { 200: usage },
  refusals: [],
  async handle({ caller: { workspaceId } }, { read, world }) {
    const month = monthOf(world.now().toISOString());
    const { plan, meter, people } = await read(async (tx) => ({
      plan: (await rulesOf(tx, workspaceId)).plan,
      meter: await meterOf(tx, workspaceId, month),
      people: (await membersOf(tx, workspaceId)).filter(signsIn).length,
    }));
    const { actions, memories, people: seats } = planLimits[plan];
    return {
      status: 200,
      body: {
        plan,
        month,
        actions: { used: meter.actions, limit: actions },
        memories: { used: meter.memories, limit: memories },
        people: { used: people, limit: seats },
        resets_at: monthAfter(month),
      },
    };
  },
});

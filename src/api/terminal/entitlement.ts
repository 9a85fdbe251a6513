import { entitlement } from '../../../contracts/terminal.js';
import { entitledTo } from '../../domain/terminal.js';
import { operation } from '../operation.js';

export const entitlementOperation = operation({
  method: 'GET',
  path: '/v1/terminal/entitlement',
  summary: 'The plan whose limits hold for you in the terminal',
  access: 'a person or anyone',
  serving: { ownBudget: true, cacheControl: 'no-store' },
  answers: { 200: entitlement },
  refusals: [],
  documentation: {
    id: 'getEntitlement',
    description:
      'Where the setting TERMINAL_GATING is off, plan is free and effective_plan is enterprise, for everyone. Where it is on, both are ' +
      'the plan of your workspace, and free without one.',
    answers: {
      200: { body: { authenticated: true, plan: 'free', effective_plan: 'enterprise', gating_enabled: false } },
    },
  },
  async handle({ person }, { service: { terminalGating } }) {
    const { plan, effectivePlan } = entitledTo(terminalGating, person?.plan ?? null);
    return {
      status: 200,
      body: {
        authenticated: person !== null,
        plan,
        effective_plan: effectivePlan,
        gating_enabled: terminalGating,
      },
    };
  },
});

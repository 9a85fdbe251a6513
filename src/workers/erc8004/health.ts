import { feedbackHealth } from '../../../projections/feedback/files.js';
import type { EngineHealth } from '../../adapters/gauges/engines.js';
import { type AccountParts, createAccountHealth, secondsSince } from '../ethereum/account-health.js';

interface Parts extends AccountParts {
  readonly epochMs: number;
}

/** For how many epochs refused feedback is reported. */
const reportedEpochs = 3;

/** The state of the feedback about agents and of the account that gives it, for metrics and readiness. */
export const createFeedbackHealth = (parts: Parts): (() => Promise<EngineHealth>) =>
  createAccountHealth(parts, {
    engine: 'erc8004',
    later: 'Feedback is given later.',
    waiting: 'Feedback about agents waits',
    one: 'one feedback',
    async stored(tx, now) {
      const { waiting, since, problems } = await feedbackHealth(tx, now.getTime() - reportedEpochs * parts.epochMs);
      return {
        lags: new Map([['feedback', { entries: waiting, seconds: since === null ? 0 : secondsSince(since, now) }]]),
        problems,
        states: new Map(),
      };
    },
  });

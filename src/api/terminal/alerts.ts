import { Refusal } from '../../../contracts/errors.js';
import {
  type Alert,
  alert,
  alertDeleted,
  alertIn,
  alertList,
  alertMetrics,
  alertQuery,
  alertTarget,
} from '../../../contracts/terminal.js';
import {
  alertsOf,
  type Condition,
  changeAlert,
  createAlert,
  deleteAlert,
} from '../../../projections/terminal/alerts.js';
import { isUuid } from '../../base/world.js';
import { shownAlert } from '../../domain/alert.js';
import { entitledTo } from '../../domain/terminal.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { checkedText } from './checked-text.js';

const exampleCondition = { scope: 'ticker', target: 'CODE.REVIEW', metric: 'price_usd', op: '>', value: 0.25 } as const;

export const exampleAlert: Alert = {
  id: samples.other,
  ...exampleCondition,
  state: 'fired',
  last_value: 0.275,
  last_checked_at: samples.at,
  last_fired_at: samples.at,
  created_at: '2026-03-14T09:20:11.042Z',
};

const exampleNew: Alert = {
  ...exampleAlert,
  state: 'waiting',
  last_value: null,
  last_checked_at: null,
  last_fired_at: null,
};

export const alertListOperation = operation({
  method: 'GET',
  path: '/v1/terminal/alerts',
  summary: 'Your alerts, the oldest first',
  access: 'a person',
  serving: { ownBudget: true, cacheControl: 'no-store' },
  answers: { 200: alertList },
  refusals: [],
  documentation: { id: 'listAlerts', answers: { 200: { body: [exampleAlert] } } },
  async handle({ person }, { reading: { read, now }, service: { terminalGating } }) {
    const { historyMs } = entitledTo(terminalGating, person.plan);
    const rows = await read((tx) => alertsOf(tx, person.personId));
    return { status: 200, body: rows.map((row) => shownAlert(row, now(), historyMs)) };
  },
});

export const alertSetOperation = operation({
  method: 'POST',
  path: '/v1/terminal/alerts',
  summary: 'Create an alert, or give one another condition',
  access: 'a person',
  serving: { ownBudget: true, cacheControl: 'no-store' },
  body: alertIn,
  answers: { 200: alert, 201: alert },
  refusals: ['invalid_json', 'invalid_request', 'alert_not_found', 'alert_limit'],
  documentation: {
    id: 'setAlert',
    body: 'AlertIn',
    description:
      'An alert is checked once a minute. It fires when its condition is true and was not true at the check before; the first check ' +
      'counts as such. While its figure is null it neither fires nor becomes ready to fire again. With id this changes an alert: another ' +
      'condition begins again in the state waiting, and the condition that it has already changes nothing. A person has at most 100 ' +
      'alerts, and 5 on the plan Free where the setting TERMINAL_GATING is on.',
    request: exampleCondition,
    answers: {
      200: { description: 'The changed alert.', body: exampleNew },
      201: { description: 'The new alert.', body: exampleNew },
    },
  },
  async handle({ person, body: { id, ...given } }, { writing: { transaction, world }, service: { terminalGating } }) {
    const { alerts: most, historyMs } = entitledTo(terminalGating, person.plan);
    const [condition, now] = [conditionOf(given), world.now()];
    if (id !== undefined) {
      const changed = isUuid(id)
        ? await transaction((tx) => changeAlert(tx, person.personId, id, condition))
        : undefined;
      if (!changed) throw new Refusal('alert_not_found');
      return { status: 200, body: shownAlert(changed, now, historyMs) };
    }
    const created = { ...condition, id: world.id(), personId: person.personId, now };
    const row = await transaction((tx) => createAlert(tx, created, most));
    if (!row) throw new Refusal('alert_limit', `You may have ${most} alerts. Delete one first.`, { limit: most });
    return { status: 201, body: shownAlert(row, now, historyMs) };
  },
});

/** @throws Refusal invalid_request */
function conditionOf({ target, ...given }: Condition): Condition {
  const metrics: readonly string[] = alertMetrics[given.scope];
  if (!metrics.includes(given.metric)) {
    throw new Refusal('invalid_request', `metric: must be one of ${metrics.join(', ')} for the scope ${given.scope}.`);
  }
  return { ...given, target: checkedText('target', alertTarget(given.scope), target) };
}

export const alertDeleteOperation = operation({
  method: 'DELETE',
  path: '/v1/terminal/alerts',
  summary: 'Delete an alert',
  access: 'a person',
  serving: { ownBudget: true, cacheControl: 'no-store' },
  query: alertQuery,
  answers: { 200: alertDeleted },
  refusals: ['invalid_json', 'invalid_request'],
  documentation: {
    id: 'deleteAlert',
    query: { id: samples.other },
    answers: {
      200: {
        description: 'You have no such alert any more. deleted says whether you had.',
        body: { id: samples.other, deleted: true },
      },
    },
  },
  async handle({ person, query: { id } }, { writing: { transaction } }) {
    const deleted = isUuid(id) && (await transaction((tx) => deleteAlert(tx, person.personId, id)));
    return { status: 200, body: { id, deleted } };
  },
});

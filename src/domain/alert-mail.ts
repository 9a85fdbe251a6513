import type { Alert } from '../../contracts/terminal.js';
import { plainNumber } from './plain-number.js';

const minute = 60_000;
const hour = 60 * minute;

/** The pause after each failed attempt to send an e-mail. After the last one it is given up: an older alert is no news. */
const pauses: readonly number[] = [minute, 5 * minute, 15 * minute, hour, 4 * hour, 12 * hour];

/** The time of the next attempt after `attempts` failed ones; null when there is none. @param chance from 0 to 1 */
export function mailRetryAt(attempts: number, now: Date, chance: number): Date | null {
  const pause = pauses[attempts - 1];
  return pause === undefined ? null : new Date(now.getTime() + Math.round(pause * (1 + chance / 10)));
}

const nouns: Readonly<Record<Alert['scope'], string>> = {
  ticker: 'ticker',
  index: 'index',
  agent: 'agent',
  vendor: 'vendor',
};

const relations: Readonly<Record<Alert['op'], string>> = { '>': 'above', '<': 'below' };

/** The e-mail about an alert that has fired. @param alert as it was then */
export function alertMail(alert: Alert, firedAt: string, baseUrl: string): { subject: string; text: string } {
  const { scope, target, metric, op, value, last_value: figure } = alert;
  const condition = `${metric} of ${nouns[scope]} ${target} is ${relations[op]} ${plainNumber(value)}`;
  return {
    subject: `Alert: ${target} ${metric} ${op} ${plainNumber(value)}`,
    text: [
      `An alert of yours has fired: ${condition}.`,
      '',
      `Figure:    ${figure === null ? 'none' : plainNumber(figure)}`,
      `Condition: ${metric} ${op} ${plainNumber(value)}`,
      `Checked:   ${alert.last_checked_at ?? firedAt}`,
      `Alert:     ${alert.id}`,
      '',
      `Figures and alerts: ${baseUrl}/v1/terminal`,
      '',
      'It fires again when the condition has been false in between. To end these e-mails, delete the alert:',
      `DELETE ${baseUrl}/v1/terminal/alerts?id=${alert.id}`,
      '',
    ].join('\n'),
  };
}

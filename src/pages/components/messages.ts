import type { Refusal } from '../../../contracts/errors.js';
import { type Html, html } from '../html.js';
import { icon } from './icons.js';

/** A box that says why something was not done. A reader hears it first. */
export function problem(sentence: Html | string | null | undefined): Html | undefined {
  if (sentence === null || sentence === undefined) return undefined;
  return html`<div class="message problem" role="alert">${icon('circle-alert')}<div>${sentence}</div></div>`;
}

/** A box that says what was done. */
export function done(sentence: Html | string | undefined): Html | undefined {
  if (sentence === undefined) return undefined;
  return html`<div class="message done" role="status">${icon('circle-check')}<div>${sentence}</div></div>`;
}

/** A box with something to know before the next step. */
export function notice(sentence: Html | string | undefined): Html | undefined {
  if (sentence === undefined) return undefined;
  return html`<div class="message notice">${icon('info')}<div>${sentence}</div></div>`;
}

/** A list without an entry: one sentence, and the one action that fills it. */
export function empty(sentence: Html | string, action?: Html): Html {
  return html`<div class="empty"><p>${sentence}</p>${action && html`<p class="actions">${action}</p>`}</div>`;
}

/** The sentence of a refusal for a person, with how long to wait where that is known. */
export function sentenceOf({ message, details }: Refusal): string {
  const { retry_after_seconds: seconds } = details;
  return typeof seconds === 'number'
    ? `${message.replace(/ Wait \d+ s\.$/, '')} Try again in ${duration(seconds)}.`
    : message;
}

function duration(seconds: number): string {
  const [count, unit] = seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

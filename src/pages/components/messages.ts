import type { Refusal } from '../../../contracts/errors.js';
import { Html, html } from '../html.js';
import { copied } from './copied.js';
import { forPeople } from './for-people.js';
import { icon } from './icons.js';

/** A box that says why something was not done. A reader hears it first. */
export function problem(sentence: Html | string | null | undefined): Html | undefined {
  if (sentence === null || sentence === undefined) return undefined;
  return html`<div class="message problem" role="alert">${icon('circle-alert')}<div>${sentence}</div></div>`;
}

/** A box that says what was done. It has the focus when the page opens, so that a person who uses the keyboard continues there. */
export function done(sentence: Html | string | undefined): Html | undefined {
  if (sentence === undefined) return undefined;
  return html`<div class="message done" role="status" tabindex="-1" autofocus>${icon('circle-check')}<div>${sentence}</div></div>`;
}

/** A box with something to know before the next step. */
export function notice(sentence: Html | string | undefined): Html | undefined {
  if (sentence === undefined) return undefined;
  return html`<div class="message notice">${icon('info')}<div>${sentence}</div></div>`;
}

/** A box that says what a form has led to, where nothing is done yet. It has the focus, as `done` has. */
export function begun(sentence: Html | string): Html {
  return html`<div class="message notice" role="status" tabindex="-1" autofocus>${icon('info')}<div>${sentence}</div></div>`;
}

/** A list without an entry: one sentence, and the one action that fills it. */
export function empty(sentence: Html | string, action?: Html): Html {
  return html`<div class="empty"><p>${sentence}</p>${action && html`<p class="actions">${action}</p>`}</div>`;
}

/** Places for values that are known only where the page is sent: the id of the request, and the month that comes next. */
const marks = { request: '<!--request-->', nextMonth: '<!--next month-->' };

/** The sentence of a refusal for a person: with how long to wait and what a plan allows, and with what those who help need. */
export function sentenceOf(refusal: Refusal): Html {
  return html`${wordsOf(refusal)}<small><code>${refusal.code}</code> · request ${new Html(marks.request)}</small>`;
}

/** The sentence alone. */
export function wordsOf(refusal: Refusal): Html {
  const { status, details } = refusal;
  const { retry_after_seconds: seconds, limit, used } = details;
  const waits = typeof seconds === 'number' && html` Try again in ${duration(seconds)}.`;
  const plan =
    status === 402 && typeof limit === 'number' && typeof used === 'number' && allowance(refusal, limit, used);
  return html`${forPeople(refusal)}${waits}${plan}`;
}

/** The limit of the plan, how much of it is used, and when the count starts again. */
function allowance({ code, details: { current_plan } }: Refusal, limit: number, used: number): Html {
  const plan = typeof current_plan === 'string' && html` on the plan ${current_plan}`;
  const resets = code === 'plan_action_limit' && html` The count starts again on ${new Html(marks.nextMonth)}.`;
  return html` <strong>${grouped(used)} of ${grouped(limit)}</strong> are used${plan}.${resets}`;
}

const grouped = (count: number): string => count.toLocaleString('en');

/** The text of a page with what is known only where it is sent. @param now in milliseconds */
export function completed(page: Html, requestId: string, now: number): Html {
  const id = copied(html`<code class="id">${requestId}</code>`, requestId).text;
  const day = new Date(now);
  const next = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1));
  const month = next.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return new Html(page.text.replaceAll(marks.request, id).replaceAll(marks.nextMonth, `${month} at 00:00 UTC`));
}

function duration(seconds: number): string {
  const [count, unit] = seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

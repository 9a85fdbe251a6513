import type { Refusal } from '../../contracts/errors.js';
import { problem, sentenceOf } from './components/messages.js';
import { html } from './html.js';
import type { Shown } from './page.js';

const titles: Readonly<Record<number, string>> = {
  400: 'This form cannot be read',
  401: 'Sign in again',
  403: 'This is not allowed',
  404: 'There is no such page',
  405: 'This page does not take that',
  413: 'This form is too large',
  415: 'This form cannot be read',
  429: 'Too many requests',
  503: 'The service is not ready',
};

/** A refusal as a page. @param back the page from which the person may try again */
export function refusedPage(refusal: Refusal, back: string): Shown {
  const { status, code, details } = refusal;
  const seconds = status === 503 ? 1 : details.retry_after_seconds;
  return {
    ...problemPage(status, code === 'csrf' ? forged : sentenceOf(refusal), back),
    headers: typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {},
  };
}

const forged =
  'This form was not sent from a page of this service, or it was made for another session. Nothing was done. ' +
  'Open the page again and send its form from there.';

export function problemPage(status: number, sentence: string, back: string): Shown {
  const title = titles[status] ?? (status >= 500 ? 'The service has failed' : 'This was not done');
  const link =
    status === 401
      ? html`<a class="button" href="/sign-in?next=${encodeURIComponent(back)}">Sign in</a>`
      : html`<a href="${status === 404 ? '/sign-in' : back}">${status === 404 ? 'Go to the first page' : 'Open the page again'}</a>`;
  return {
    status,
    title,
    main: html`<div class="narrow"><h1>${title}</h1>${problem(sentence)}<p class="after">${link}</p></div>`,
  };
}

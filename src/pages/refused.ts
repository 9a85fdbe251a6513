import type { Refusal } from '../../contracts/errors.js';
import { hidden } from './components/fields.js';
import { icon } from './components/icons.js';
import { problem, sentenceOf } from './components/messages.js';
import { tokenField } from './drafts/fields.js';
import { type Html, html } from './html.js';
import type { Shown } from './page.js';

const titles: Readonly<Record<number, string>> = {
  400: 'This form cannot be read',
  401: 'Sign in again',
  402: 'The plan allows no more',
  403: 'This is not allowed',
  404: 'There is no such page',
  405: 'This page does not take that',
  413: 'This form is too large',
  415: 'This form cannot be read',
  429: 'Too many requests',
  503: 'The service is not ready',
};

export function titleOf(status: number): string {
  return titles[status] ?? (status >= 500 ? 'The service has failed' : 'This was not done');
}

/** The header that says how long to wait, where that helps. */
export function retryAfter({ retryAfterSeconds: seconds }: Refusal): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

interface Around {
  /** The page from which the person may try again. */
  readonly back: string;
  /** Whether the request only looked, so that it may be repeated without the person. */
  readonly isLook: boolean;
  /** Whether there are memories to search. */
  readonly searches: boolean;
  /** The token of the form that signs out, for a person whose session is in no workspace. */
  readonly signOut: string | null;
}

/** A refusal as a page. */
export function refusedPage(refusal: Refusal, { back, isLook, searches, signOut }: Around): Shown {
  const { status, code, retryAfterSeconds: seconds } = refusal;
  if (code === 'no_workspace' || code === 'workspace_role_required') return withoutRole(refusal, signOut);
  if (status === 404) return noPage(sentenceOf(refusal), searches);
  const isBeyondRole = status === 403 && isLook;
  const sentence = code === 'csrf' ? forged : sentenceOf(refusal);
  const shown = problemPage(status, sentence, isBeyondRole ? '/' : back, helpWith(refusal, isLook));
  const repeats = status === 429 && isLook && seconds !== undefined;
  return { ...shown, headers: retryAfter(refusal), ...(repeats && { continuesAt: back, continuesAfter: seconds }) };
}

const forged =
  'This form was not sent from a page of this service, or it was made for another session. Nothing was done. ' +
  'Open the page again and send its form from there.';

function helpWith({ status, code, retryAfterSeconds: seconds = 1 }: Refusal, isLook: boolean): Html | undefined {
  if (code === 'admin_required') return html`<p>Ask one of them, or ask for that role.</p>`;
  if (status === 429 && isLook) return html`<p>The page opens by itself after that time.</p>`;
  if (status !== 503) return undefined;
  return html`<p>Wait ${seconds} second${seconds === 1 ? '' : 's'} and try again. Meanwhile <a href="/verify">Verify</a> checks bundles that you have, in your browser, and the <a href="/developers">documentation</a> can be read.</p>`;
}

export function problemPage(status: number, sentence: Html | string, back: string, help?: Html): Shown {
  const title = titleOf(status);
  const link =
    status === 401
      ? html`<a class="button" href="/sign-in?next=${encodeURIComponent(back)}">Sign in</a>`
      : html`<a class="button second" href="${back}">${back === '/' ? 'Go to the first page' : status === 429 || status >= 500 ? 'Try again' : 'Open the page again'}</a>`;
  return {
    status,
    title,
    main: html`<div class="narrow"><h1>${title}</h1>${problem(sentence)}${help}<p class="actions">${link}</p></div>`,
  };
}

/** The page for an address at which there is nothing for this person. @param searches whether there are memories to search */
export function noPage(sentence: Html | string, searches: boolean): Shown {
  const title = titleOf(404);
  const search = html`<form class="tools" method="get" action="/memories"><label class="search"><span class="spoken">Words in the memories</span>${icon('search')}<input name="q" placeholder="Words in the memories"></label><button class="second">Look for it</button></form>`;
  return {
    status: 404,
    title,
    main: html`<div class="narrow"><h1>${title}</h1>
${problem(sentence)}
${searches && search}
<ul class="ways"><li><a href="/">The first page</a><span>Memories, receipts and everything else of a workspace.</span></li>
<li><a href="/developers">Documentation</a><span>How to use the service, with a search.</span></li>
<li><a href="/verify">Verify</a><span>Checks a bundle in your browser.</span></li></ul></div>`,
  };
}

/** A person without a workspace, or without a role in it: the people who can help, and the ways out. */
function withoutRole(refusal: Refusal, signOut: string | null): Shown {
  const isGuest = refusal.code === 'no_workspace';
  const title = isGuest ? 'You are in no workspace' : 'You have no role here';
  const help = isGuest
    ? 'An owner or an admin of a workspace adds you as a member, with the e-mail address that you sign in with.'
    : 'An owner or an admin of this workspace can give you a role.';
  const out =
    signOut !== null &&
    html`<form method="post" action="/sign-out">${hidden(tokenField, signOut)}<p class="actions"><button class="second">Sign out</button></p></form>`;
  return {
    status: refusal.status,
    title,
    main: html`<div class="narrow"><h1>${title}</h1>${problem(sentenceOf(refusal))}<p>${help}</p>
${!isGuest && html`<p class="actions"><a class="button second" href="/workspace">Choose another workspace</a></p>`}${out}</div>`,
  };
}

import { pathOnThisOrigin } from '../../api/session/next-path.js';
import { pageAt } from '../at.js';
import { notice, problem } from '../components/messages.js';
import { noFields } from '../form.js';
import { html } from '../html.js';
import type { PageAnswer, PageParts, PageRequest, Visitor } from '../page.js';
import { pages } from '../pages.js';
import { continueForm } from '../sign-in.js';
import { draftPage } from './draft-page.js';
import { personTag, tokenField } from './fields.js';
import { openForm } from './seal.js';
import { pageNow, pathOf, purposeOf, type Sent, shownAgain } from './shown-again.js';

interface Back extends Sent {
  readonly visitor: Visitor;
  /** The fields of the form, sealed. */
  readonly text: string;
}

/** A form that comes back to its page after the sign-in is shown as it was left, and not sent. */
export async function formBack(back: Back, parts: PageParts): Promise<PageAnswer> {
  const { page, request, address, visitor, text } = back;
  const draft = openForm(parts.sealed, pathOf(address), text, request.now);
  if (draft === null) return withProblem(back, late, parts);
  // A form without the tag names no one. It was typed in this browser all the same.
  if (draft.by !== '' && draft.by !== personTag(parts.formTokens, visitor)) return withProblem(back, ofOther, parts);
  const shown = await shownAgain(back, draft.fields, parts);
  if (shown) return { ...shown, main: html`${notice(comesBack)}${shown.main}` };
  return draftPage({
    status: 200,
    title: 'You are signed in',
    sentence: null,
    advice: 'The page of the form cannot be shown as it was. What you have typed is below, and was not sent.',
    fields: draft.fields,
    again: { address, own: [[tokenField, parts.formTokens.of(visitor.session.id, purposeOf(page, request))]] },
  });
}

const comesBack = 'You are signed in. This is the form as you left it. It was not sent: look at it and send it.';
const late = 'What you had typed was kept for ten minutes, which have passed. Nothing was sent.';
const ofOther = 'The form was begun by another person, so what they have typed is not shown. Nothing was sent.';

async function withProblem(sent: Sent, sentence: string, parts: PageParts): Promise<PageAnswer> {
  const shown = await pageNow(sent, parts);
  if (shown === null || !('main' in shown)) return { location: '/' };
  return { ...shown, main: html`${problem(sentence)}${shown.main}` };
}

/** The page of a form, right after the sign-in that has carried its fields. */
export async function afterSignIn(
  { location, draft: text }: { readonly location: string; readonly draft: string },
  { request, visitor }: { readonly request: PageRequest; readonly visitor: Visitor },
  parts: PageParts,
): Promise<PageAnswer> {
  const address = pathOnThisOrigin(location) ?? '/';
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  const at = pageAt(pages, path);
  if (!at || at.page.access === 'anyone') return { location };
  const asked = { ...request, path, params: at.params, query: new URLSearchParams(query), form: noFields, visitor };
  const back = { page: at.page, request: asked, address, visitor, text };
  // Some pages need more than the session, such as cookies for their own path: they show the form when the browser asks there.
  const isShown = await pageNow(back, parts).then(
    (now) => now !== null && 'main' in now && now.status < 400,
    () => false,
  );
  if (isShown) return formBack(back, parts);
  return {
    status: 200,
    title: 'You are signed in',
    main: html`<div class="narrow"><h1>You are signed in</h1><p class="lead">The form was not sent. It can be shown as you left it.</p>
${continueForm(address, text, 'Continue with the form')}</div>`,
  };
}

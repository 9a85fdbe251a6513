import type { Refusal } from '../../../contracts/errors.js';
import { problem, sentenceOf } from '../components/messages.js';
import type { Fields } from '../form.js';
import { html } from '../html.js';
import type { PageAnswer, PageParts, PageRequest, Shown } from '../page.js';
import { retryAfter, titleOf } from '../refused.js';
import { signInForm } from '../sign-in.js';
import { draftPage, isTyped } from './draft-page.js';
import { draftFields, personField, tokenField } from './fields.js';
import { sealForm } from './seal.js';
import { pathOf, type Sent, shownAgain } from './shown-again.js';

/**
 * The answer to a form that was not carried out: its page again with what was typed, or where that page cannot be shown, what was
 * typed on a page that needs nothing. This is the one place for it, so that no page has to do it for its own form.
 * @returns null where nothing was typed that could be lost, and the page of the refusal says enough
 */
export async function formNotSent(refusal: Refusal, sent: Sent, parts: PageParts): Promise<PageAnswer | null> {
  const { page, request, address } = sent;
  const fields = draftFields(page, request.form);
  if (refusal.status === 401) return signInFirst(sent, fields, parts);
  const { status } = refusal;
  const headers = retryAfter(refusal);
  const sentence = refusal.code === 'csrf' ? stale : sentenceOf(refusal);
  const shown = await shownAgain(sent, fields, parts);
  if (shown) {
    const main = html`${problem(sentence)}${shown.main}`;
    return { ...shown, status, headers: { ...shown.headers, ...headers }, main };
  }
  if (!fields.some(isTyped)) return null;
  const helps = status === 429 || status >= 500;
  const again = helps ? { address, own: ownFields(request) } : null;
  const advice = helps
    ? 'What you have typed is below. Leave this page open, and send it from here when the service can take it.'
    : 'What you have typed is below, to be copied.';
  return draftPage({ status, title: titleOf(status), sentence, advice, fields, again, headers });
}

const stale =
  'This form was made for another session, or too long ago, so nothing was done. It is shown again as you have filled it in: look at it and send it.';

/** Those that show whose form it is. A page that knows the person names them in each form by itself. */
function ownFields({ form, visitor }: PageRequest): Fields {
  const names = visitor ? [tokenField] : [tokenField, personField];
  return names.map((name) => [name, form.one(name)] as const);
}

/** The form that asks for a password, which carries what was typed; what is too long for that stays in a form of its own. */
function signInFirst({ page, request, address }: Sent, fields: Fields, parts: PageParts): Shown {
  const next = page.show || fields.length > 0 ? address : null;
  const form = { by: request.form.one(personField), at: request.now, fields };
  const draft = fields.length === 0 ? null : sealForm(parts.sealed, pathOf(address), form);
  if (fields.length === 0 || draft !== null)
    return { ...signInForm({ next, email: '', draft, refusal: null }, parts), status: 401 };
  return draftPage({
    status: 401,
    title: 'Sign in again',
    sentence: 'Your session has ended. Nothing was sent.',
    advice: html`What you have typed is below. <a href="/sign-in" target="_blank" rel="noopener">Sign in in another tab</a>, come back to this page, and send the form again.`,
    fields,
    again: { address, own: ownFields(request) },
  });
}

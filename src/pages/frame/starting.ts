import { pageAt } from '../at.js';
import { problem } from '../components/messages.js';
import { draftPage } from '../drafts/draft-page.js';
import { draftFields, personField, tokenField } from '../drafts/fields.js';
import { readForm } from '../form.js';
import { html } from '../html.js';
import { pages } from '../pages.js';
import { plainPage } from './plain.js';

/** The seconds after which the browser asks again by itself. */
export const retrySeconds = 3;

const title = 'The service is starting';
const sentence = 'It opens its store. After an update that can take some minutes.';

/** The page for a person who opens an address while the service starts. It needs no store. */
export function startingPage(address: string): string {
  const main = html`<div class="narrow"><h1>${title}</h1>${problem(sentence)}
<p>Nothing is lost. This page is opened again by itself every ${retrySeconds} seconds. Meanwhile a bundle that you have can be checked on your own machine: <code>counterfoil verify</code> needs no service.</p>
<p class="actions"><a class="button second" href="${address}">Try again</a></p></div>`;
  return plainPage(title, main, { address, seconds: retrySeconds });
}

/**
 * The page for a person who sends a form then, with what was typed. @param body the form as it was sent
 * @returns null for an address that takes no form
 */
export function formWhileStarting(address: string, body: Uint8Array): string | null {
  const found = pageAt(pages, address.split('?')[0] ?? '');
  if (!found?.page.submit) return null;
  const form = readForm(body);
  const { main } = draftPage({
    status: 503,
    title,
    sentence,
    advice: 'Nothing was sent. What you have typed is below: leave this page open, and send it again in a moment.',
    fields: draftFields(found.page, form),
    again: { address, own: [tokenField, personField].map((name) => [name, form.one(name)] as const) },
  });
  return plainPage(title, main);
}

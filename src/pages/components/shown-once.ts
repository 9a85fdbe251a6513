import { type Html, html } from '../html.js';
import type { Shown } from '../page.js';
import { problem } from './messages.js';

interface Secret {
  readonly title: string;
  /** Null where the form was sent before, and the secret was shown then. */
  readonly secret: string | null;
  /** The sentence above it. */
  readonly lead: Html | string;
  readonly use?: Html;
  /** The sentence in its place when it was shown before. */
  readonly again: string;
  readonly back: { readonly to: string; readonly name: string };
}

/** The page that shows a secret, once: it answers the form, so the secret is in no address and in no store. It runs no script. */
export function shownOnce({ title, secret, lead, use, again, back }: Secret): Shown {
  const shown =
    secret === null
      ? problem(again)
      : html`<p class="lead">${lead}</p>
<p class="secret"><code>${secret}</code></p>
${use}`;
  return {
    status: 200,
    title,
    withoutScript: true,
    main: html`<div class="narrow"><h1>${title}</h1>${shown}<p class="after"><a href="${back.to}">${back.name}</a></p></div>`,
  };
}

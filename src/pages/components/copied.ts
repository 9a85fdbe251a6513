import { type Html, html } from '../html.js';

/** A value with a button that copies the whole of it. Without a script it has none, and the value can be selected. */
export function copied(shown: Html, value: string): Html {
  return html`<cf-copy data-value="${value}">${shown}</cf-copy>`;
}

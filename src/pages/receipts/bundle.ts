import { icon } from '../components/icons.js';
import { addressOf } from '../frame/files.js';
import { type Html, html } from '../html.js';

export function bundleLink(id: string): Html {
  return html`<a class="button second" href="/v1/receipts/${id}/proof" download="${id}.json">${icon('download')}Download the bundle</a>`;
}

/** The button that checks the bundle in the browser; a page without a script has the check of the service above it. */
export function checkedHere(id: string): Html {
  return html`<cf-verify data-bundle="/v1/receipts/${id}/proof" data-script="${addressOf('check.js')}"></cf-verify>`;
}

import { type Html, html } from '../html.js';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A time of a field has no zone: the fields of this page are in UTC. */
const ofField = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** A time as the address has it: absolute, so that a link shows the same receipts tomorrow. */
export function momentIn(text: string): string {
  const [, seconds] = ofField.exec(text) ?? [text, ''];
  return ofField.test(text) ? `${text}${seconds === undefined ? ':00' : ''}Z` : text;
}

/** The field for a time. What cannot be read stays in it as it was written. */
export function momentField(name: string, label: string, value: string): Html {
  const at = Date.parse(value);
  const isTime = value === '' || !Number.isNaN(at);
  const shown = value === '' || !isTime ? value : new Date(at).toISOString().replace(/(:00)?\.000Z$|Z$/, '');
  const kind = isTime && html` type="datetime-local" step="any"`;
  return html`<label class="moment"><span>${label} <small>UTC</small></span><input name="${name}" value="${shown}"${kind}></label>`;
}

/** The usual times before now, as the first moment of each. */
export function usualTimes(now: number): readonly (readonly [since: string, text: string])[] {
  const ago = (days: number) => new Date(Math.floor(now / minute) * minute - days * day).toISOString();
  return [
    [ago(1), 'Last 24 hours'],
    [ago(7), 'Last 7 days'],
  ];
}

import { type Html, html } from '../html.js';

/** Digits that are left at the beginning and at the end of an id or hash that is shortened. */
const [first, last] = [8, 6] as const;

/** An id or a hash, shortened in the middle; the whole value is its title, and its link where it has one. */
export function identity(value: string, to?: string): Html {
  const text = html`<code class="id" title="${value}">${shortened(value)}</code>`;
  return to === undefined ? text : html`<a class="id" href="${to}">${text}</a>`;
}

function shortened(value: string): string {
  const prefix = /^[a-z]+_/.exec(value)?.[0] ?? '';
  const rest = value.slice(prefix.length);
  return rest.length <= first + last + 1 ? value : `${prefix}${rest.slice(0, first)}…${rest.slice(-last)}`;
}

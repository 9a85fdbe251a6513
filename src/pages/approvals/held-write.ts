import type { z } from 'zod';
import type { approval } from '../../../contracts/approvals.js';
import { counted } from '../components/counted.js';
import { facts } from '../components/facts.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';

type Held = NonNullable<z.output<typeof approval>['held']>;

const none = html`<span class="none">none</span>`;

/** The part of a held write by which people decide: its beginning, and the values that the rules compare. */
export function heldWrite({ excerpt, bytes, source, metadata_keys: keys, metadata_key_count: count }: Held): Html {
  const more = count - keys.length;
  return html`<div class="held"><p class="memory">${said(excerpt)}</p>
${facts([
  ['Size', counted(bytes, 'byte')],
  ['Source', source === null ? none : said(source)],
  [
    'Metadata',
    count === 0
      ? none
      : html`${keys.map((key, at) => html`${at === 0 ? '' : ', '}${said(key)}`)}${more > 0 && ` and ${counted(more, 'more key')}`}`,
  ],
])}</div>`;
}

import type { z } from 'zod';
import type { approval } from '../../../contracts/approvals.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';

type Held = NonNullable<z.output<typeof approval>['held']>;

/** The part of a held write by which people decide: its beginning, and the values that the rules compare. */
export function heldWrite({ excerpt, bytes, source, metadata_keys: keys, metadata_key_count: count }: Held): Html {
  const more = count - keys.length;
  return html`<div class="held"><p class="memory">${said(excerpt)}</p>
<dl class="facts">
<div><dt>Size</dt><dd>${bytes.toLocaleString('en')} bytes</dd></div>
<div><dt>Source</dt><dd>${source === null ? html`<span class="absent">none</span>` : said(source)}</dd></div>
<div><dt>Metadata</dt><dd>${count === 0 ? html`<span class="absent">none</span>` : keys.map((key, at) => html`${at === 0 ? '' : ', '}${said(key)}`)}${more > 0 && ` and ${more} more keys`}</dd></div>
</dl></div>`;
}

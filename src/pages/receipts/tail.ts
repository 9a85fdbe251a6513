import { type Html, html } from '../html.js';
import { type Filters, listAddress } from './filters.js';
import type { List } from './rows.js';

/** The most receipts that one request of the tail shows. */
export const tailRows = 100;

/**
 * The line above a list that is followed. The script asks for what comes after `data-after` and adds it to the list; without it a
 * link does the same for the whole page.
 */
export function tailLine({ data, next_after }: List, filters: Filters, after: string | undefined): Html {
  const [newest] = data;
  const next = next_after ?? newest?.seq ?? 0;
  const isFull = after !== undefined && data.length >= tailRows;
  return html`<cf-tail class="tail" data-after="${next}" data-address="${listAddress(filters, { follow: '1' })}"${isFull && html` data-more`}><span>New receipts are not added by themselves without a script.</span> <a class="button second small" href="${listAddress(filters, { follow: '1' })}">Look again</a></cf-tail>`;
}

import { Refusal } from '../../../contracts/errors.js';
import { identity } from '../components/identity.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { headline, readReceipt } from '../receipts/read.js';

/** The address with which a browser continues after a form, with the receipt of what the form has recorded. */
export function withReceipt(location: string, receipt: string | null): string {
  if (receipt === null) return location;
  return `${location}${location.includes('?') ? '&' : '?'}receipt=${receipt}`;
}

/**
 * The sentence of the receipt that a form has left, above the page that follows. It says what the receipt says: an address with
 * another receipt shows that one, and nothing for a receipt that the person may not see.
 */
export async function recordedNote(
  id: string | null,
  request: Pick<PersonRequest, 'visitor' | 'client' | 'now'>,
  parts: PageParts,
): Promise<Html | undefined> {
  if (id === null || !/^rcp_[0-9a-f]{32}$/.test(id)) return undefined;
  try {
    const { names = {}, ...receipt } = await readReceipt(id, request, parts);
    return html`<p class="recorded" role="status" tabindex="-1" autofocus>Recorded ${time(receipt.recorded_at, request.now)} as receipt ${identity(id, `/receipts/${id}`)}: ${headline(receipt, names)}</p>`;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

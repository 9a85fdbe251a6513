import { Refusal } from '../../../contracts/errors.js';
import { icon } from '../components/icons.js';
import { problem, sentenceOf } from '../components/messages.js';
import { withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { bundleLink, checkedHere } from './bundle.js';
import { factsOf } from './facts.js';
import { listAddress, path } from './filters.js';
import { proofOf } from './proof.js';
import { headline, readReceipt } from './read.js';
import type { List, Place } from './rows.js';

/** One receipt beside the list, with the ways to the next and the previous row of the page. */
export async function peek(
  id: string,
  place: Place,
  { data }: List,
  request: PersonRequest,
  parts: PageParts,
): Promise<Html> {
  const at = data.findIndex((one) => one.id === id);
  const address = (open?: string) => listAddress(place.filters, { before: place.before, open });
  const way = (to: string | undefined, name: string) =>
    to === undefined ? undefined : html`<a class="button quiet small" data-live href="${address(to)}">${name}</a>`;
  const ways = html`<p class="ways">${way(data[at - 1]?.id, 'Previous')}${at >= 0 && way(data[at + 1]?.id, 'Next')}<a class="button quiet small" data-live data-close href="${address()}">${icon('x')}Close</a></p>`;
  try {
    const { names = {}, ...receipt } = await readReceipt(id, request, parts);
    const proof = await proofOf(receipt, request, parts);
    return html`<aside class="slip peek" aria-label="Receipt ${receipt.seq}"><header class="${proof.tone}">${ways}<h2>${headline(receipt, names)}</h2></header>
<div class="stub">${factsOf(receipt, names, { now: request.now, memoryApi: parts.memoryApi })}${proof.way}${checkedHere(id)}
<p class="actions"><a class="button" href="${withPlace(`${path}/${id}`, { address: address() })}">Open</a>${bundleLink(id)}</p></div></aside>`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return html`<aside class="slip peek" aria-label="Receipt"><header>${ways}</header><div class="stub">${problem(sentenceOf(error))}</div></aside>`;
  }
}

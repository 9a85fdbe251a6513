import { done } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { listPlace, walk, withPlace } from '../from-list.js';
import { html } from '../html.js';
import type { PersonPage } from '../page.js';
import { bundleLink, checkedHere } from './bundle.js';
import { canErase } from './erase.js';
import { factsOf } from './facts.js';
import { path } from './filters.js';
import { idsAt } from './list.js';
import { paperSection, paperTitle, printButton } from './on-paper.js';
import { proofOf } from './proof.js';
import { queryPart } from './query.js';
import { headline, readReceipt } from './read.js';
import { traceSection } from './trace.js';

/** The page of one receipt, with its proof as this service checks it. */
export const receiptPage: PersonPage = {
  path: `${path}/:receipt_id`,
  access: 'a person',
  async show(request, parts) {
    const { names = {}, ...receipt } = await readReceipt(request.params.receipt_id ?? '', request, parts);
    const proof = await proofOf(receipt, request, parts);
    const place = listPlace('/receipts', request);
    const way = await walk(place, {
      id: receipt.id,
      ids: async () => (place === null ? [] : idsAt(place, request, parts)),
      addressOf: (id) => `${path}/${id}`,
    });
    return {
      status: 200,
      title: `Receipt ${receipt.seq}`,
      main: html`${paperTitle(receipt)}${pageTop({ way, above: [['Receipts', path]], title: headline(receipt, names), actions: html`${printButton}${bundleLink(receipt.id)}` })}
${done(request.query.has('erased') ? 'The private text was erased with its salt. The receipt still verifies.' : undefined)}
${proof.way}
${checkedHere(receipt.id)}
<section><h2>What the entry says</h2>${factsOf(receipt, names, { now: request.now, memoryApi: parts.memoryApi })}
${canErase(receipt, request) && html`<p class="actions"><a class="button danger" href="${withPlace(`${path}/${receipt.id}/erase`, place)}">Erase the private text</a></p>`}</section>
${parts.memoryApi && queryPart(receipt, request)}
${await traceSection(receipt, request, parts)}
${proof.claims}
${paperSection(receipt, { claims: proof.found, baseUrl: parts.services.service.baseUrl, now: request.now })}`,
    };
  },
};

import type { z } from 'zod';
import { namedReceipt } from '../../../contracts/any-receipt.js';
import { Refusal } from '../../../contracts/errors.js';
import { didInWords } from '../../api/receipts/in-words.js';
import { receiptOperation } from '../../api/receipts/receipts.js';
import { ask } from '../ask.js';
import { icon } from '../components/icons.js';
import { done } from '../components/messages.js';
import { said } from '../components/said.js';
import { addressOf } from '../frame/files.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest } from '../page.js';
import { canErase } from './erase.js';
import { factsOf } from './facts.js';
import { path } from './filters.js';
import { proofOf } from './proof.js';
import { actorName, type Names, objectOf, type Receipt } from './sentence.js';
import { traceSection } from './trace.js';

/** The page of one receipt, with its proof as this service checks it. */
export const receiptPage: PersonPage = {
  path: `${path}/:receipt_id`,
  access: 'a person',
  async show(request, parts) {
    const { names = {}, ...receipt } = await readReceipt(request.params.receipt_id ?? '', request, parts);
    const proof = await proofOf(receipt, request, parts);
    return {
      status: 200,
      title: `Receipt ${receipt.seq}`,
      main: html`<p class="crumbs"><a href="${path}">Receipts</a></p>
<div class="title"><h1>${headline(receipt, names)}</h1>
<div class="actions">${bundleLink(receipt.id)}</div></div>
${done(request.query.has('erased') ? 'The private text was erased with its salt. The receipt still verifies.' : undefined)}
${proof.way}
${checkedHere(receipt.id)}
<section><h2>What the entry says</h2>${factsOf(receipt, names, request.now)}
${canErase(receipt, request) && html`<p class="actions"><a class="button danger" href="${path}/${receipt.id}/erase">Erase the private text</a></p>`}</section>
${await traceSection(receipt, request, parts)}
${proof.claims}`,
    };
  },
};

/** What happened, as a sentence. */
export function headline(receipt: Receipt, names: Names): Html {
  const object = objectOf(receipt, names);
  return html`${said(actorName(receipt, names))} ${didInWords(receipt.kind)}${object && html` <small>${object}</small>`}`;
}

export function bundleLink(id: string): Html {
  return html`<a class="button second" href="/v1/receipts/${id}/proof" download="${id}.json">${icon('download')}Download the bundle</a>`;
}

/** The button that checks the bundle in the browser; a page without a script has the check of the service above it. */
export function checkedHere(id: string): Html {
  return html`<cf-verify data-bundle="/v1/receipts/${id}/proof" data-script="${addressOf('check.js')}"></cf-verify>`;
}

/** @throws Refusal receipt_not_found, also for a receipt that the person may not see */
export async function readReceipt(
  id: string,
  request: PersonRequest,
  parts: PageParts,
): Promise<z.output<typeof namedReceipt>> {
  const given = { params: { receipt_id: id }, query: { include: 'names' } };
  try {
    return await ask(namedReceipt, receiptOperation, request, given, parts);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'namespace_out_of_scope') throw new Refusal('receipt_not_found');
    throw error;
  }
}

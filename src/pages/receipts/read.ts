import type { z } from 'zod';
import { namedReceipt } from '../../../contracts/any-receipt.js';
import { Refusal } from '../../../contracts/errors.js';
import { didInWords } from '../../api/receipts/in-words.js';
import { receiptOperation } from '../../api/receipts/receipts.js';
import { ask } from '../ask.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { actorName, type Names, objectOf, type Receipt } from './sentence.js';

/** @throws Refusal receipt_not_found, also for a receipt that the person may not see */
export async function readReceipt(
  id: string,
  request: Pick<PersonRequest, 'visitor' | 'client'>,
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

/** The sentence of a receipt. */
export function headline(receipt: Receipt, names: Names): Html {
  const object = objectOf(receipt, names);
  return html`${said(actorName(receipt, names))} ${didInWords(receipt.kind)}${object && html` <small>${object}</small>`}`;
}

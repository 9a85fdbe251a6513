import { privateErased } from '../../../contracts/any-receipt.js';
import { privateEraseOperation } from '../../api/receipts/receipts.js';
import { ask } from '../ask.js';
import { question } from '../components/question.js';
import { listPlace, withPlace } from '../from-list.js';
import { html } from '../html.js';
import type { PersonPage, PersonRequest } from '../page.js';
import { path } from './filters.js';
import { headline, readReceipt } from './read.js';
import type { Receipt } from './sentence.js';

/** The page that asks before the private text of a task receipt, a decision or a handoff is destroyed. */
export const erasePage: PersonPage = {
  path: `${path}/:receipt_id/erase`,
  access: 'a person',
  async show(request, parts) {
    const { names = {}, ...receipt } = await readReceipt(request.params.receipt_id ?? '', request, parts);
    const own = `${path}/${receipt.id}`;
    return question({
      title: 'Erase the private text?',
      lead: 'The text and the salt of its commitment are destroyed. The receipt stays and still verifies, and another receipt says that you have erased the text. This cannot be undone.',
      list: { name: 'Receipts', path, place: listPlace('/receipts', request) },
      thing: { name: `Entry ${receipt.seq}`, path: own },
      refusal: null,
      action: `${own}/erase`,
      token: request.token,
      asks: html`<p class="card">${headline(receipt, names)}</p>`,
      button: html`<button class="danger">Erase the text</button>`,
    });
  },
  async submit(request, parts) {
    const params = { receipt_id: request.params.receipt_id ?? '' };
    const { id } = await ask(privateErased, privateEraseOperation, request, { params }, parts);
    return { location: withPlace(`${path}/${id}?erased`, listPlace('/receipts', request)) };
  },
};

/** Whether the person may erase a text of the receipt, and there still is one. */
export function canErase(receipt: Receipt, { visitor }: PersonRequest): boolean {
  const isAdmin = ['owner', 'admin'].includes(visitor.session.person.role);
  return isAdmin && 'private_erased' in receipt && !receipt.private_erased;
}

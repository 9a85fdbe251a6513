import { Refusal } from '../../../contracts/errors.js';
import { memoryAccepted } from '../../../contracts/memory.js';
import { memoryAddOperation } from '../../api/memories/add.js';
import { ask } from '../ask.js';
import { hidden, textArea, textField } from '../components/fields.js';
import { problem, sentenceOf } from '../components/messages.js';
import { type Html, html } from '../html.js';
import { sealSearch, searchIn } from '../memories/asked-search.js';
import { foundSection, searchFor } from '../memories/found.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest } from '../page.js';
import { checkedHere } from '../receipts/bundle.js';
import { proofOf } from '../receipts/proof.js';
import { readReceipt } from '../receipts/read.js';

/** The steps of the tour, as the address names them (`/?step=…`). */
export const steps = ['write', 'search', 'prove', 'connect'] as const;
export type Step = (typeof steps)[number];

const titles: Readonly<Record<Step, string>> = {
  write: 'Write a memory',
  search: 'Find it',
  prove: 'Open its proof',
  connect: 'Connect an agent',
};

const path = '/tour';
/** How long the tour waits until the memory can be found, in seconds. */
const settleSeconds = 20;

/** The forms of the tour. Its pages are the overview, so that a person is where they will be later. */
export const tourPage: PersonPage = {
  path,
  access: 'a person',
  ofMemoryApi: true,
  async submit(request, parts): Promise<PageAnswer> {
    const { form, now } = request;
    try {
      if (form.one('do') === 'search') {
        const search = { query: form.one('query'), namespace: '', once: form.one('once'), at: now };
        await searchFor(search, request, parts);
        const address = new URLSearchParams({
          step: 'search',
          of: form.one('of'),
          s: sealSearch(search, request, parts),
        });
        return { location: `/?${address}`, namesReceipt: true };
      }
      const body = JSON.stringify({ content: form.one('content').replaceAll('\r\n', '\n'), source: 'tour' });
      const given = { body, idempotencyKey: form.one('once'), settleSeconds };
      const { receipt_id } = await ask(memoryAccepted, memoryAddOperation, request, given, parts);
      return { location: `/?step=search&of=${receipt_id ?? ''}` };
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const step = form.one('do') === 'search' ? 'search' : 'write';
      return { status: error.status, title: 'Overview', main: await tour(step, request, parts, error) };
    }
  },
};

/** One step of the tour: what to do, why, and the way to leave it. */
export async function tour(
  step: Step,
  request: PersonRequest,
  parts: PageParts,
  refusal: Refusal | null = null,
): Promise<Html> {
  const list = steps.map((one) => html`<li${one === step && html` aria-current="step"`}>${titles[one]}</li>`);
  return html`<section class="card tour"><h2>First steps</h2><ol class="tour-steps">${list}</ol>
${problem(refusal && sentenceOf(refusal))}
${await contentOf[step](request, parts)}
<p class="note"><a href="/?step=left">Leave the tour</a></p></section>`;
}

const contentOf: Readonly<Record<Step, (request: PersonRequest, parts: PageParts) => Promise<Html>>> = {
  write: async (request, parts) =>
    html`<form method="post" action="${path}">${keys(request, parts)}
${textArea({ name: 'content', label: 'A sentence that an agent should remember', value: request.form.one('content'), hint: 'A real memory, which you can delete later. Write something that you know by heart.', more: html`rows="3" maxlength="1048576" required` })}
<p class="actions"><button name="do" value="write">Write it</button></p></form>`,
  search,
  prove,
  connect: async () =>
    html`<p>The memory is written, found and proved. Now give an agent its way in.</p>
<p class="actions"><a class="button" href="/connect">Connect an agent</a><a class="button quiet" href="/memories">See the memories</a></p>`,
};

/** The receipt of the memory that the tour has written; empty in an address that names none. */
function receiptOf({ query, form }: PersonRequest): string {
  const given = query.get('of') ?? form.one('of');
  return /^rcp_[0-9a-f]{32}$/.test(given) ? given : '';
}

async function search(request: PersonRequest, parts: PageParts): Promise<Html> {
  const of = receiptOf(request);
  const asked = searchIn(request, parts);
  const question = html`<form method="post" action="${path}">${keys(request, parts)}${hidden('of', of)}
${textField({ name: 'query', label: 'Ask for it in other words', value: asked?.query ?? request.form.one('query'), hint: 'The search compares words and meanings, and says why it found something.', more: html`maxlength="8000" required autocomplete="off"` })}
<p class="actions"><button name="do" value="search">Search</button></p></form>`;
  if (asked === null) return question;
  const names = new Map((await namespacesOf(request, parts)).map(({ id, name }) => [id, name]));
  const found = foundSection(await searchFor(asked, request, parts), { names, now: request.now, place: null });
  return html`${found}<p class="actions"><a class="button" href="/?step=prove&amp;of=${of}">Open the proof of the memory</a></p>
<details class="after"><summary>Search again</summary>${question}</details>`;
}

async function prove(request: PersonRequest, parts: PageParts): Promise<Html> {
  const of = receiptOf(request);
  const next = html`<p class="actions"><a class="button" href="/?step=connect">Connect an agent</a>${of !== '' && html`<a class="button quiet" href="/receipts/${of}">The whole receipt</a>`}</p>`;
  if (of === '') return html`<p>Each receipt is on the page <a href="/receipts">Receipts</a>.</p>${next}`;
  const { names: _, ...receipt } = await readReceipt(of, request, parts);
  const { way } = await proofOf(receipt, request, parts);
  return html`<p>The memory is an entry of the chain of this workspace, and the head of the chain is a leaf of a signed log.</p>${way}${checkedHere(of)}${next}`;
}

function keys({ visitor }: PersonRequest, parts: PageParts): Html {
  const token = parts.formTokens.of(visitor.session.id, path);
  return html`${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}`;
}

import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { receiptList } from '../../../contracts/receipt-list.js';
import { didInWords } from '../../api/receipts/in-words.js';
import { receiptListOperation } from '../../api/receipts/list.js';
import { ask } from '../ask.js';
import { icon } from '../components/icons.js';
import { empty, problem, sentenceOf } from '../components/messages.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { namespacesOf } from '../namespaces.js';
import type { PageParts, PersonPage, PersonRequest } from '../page.js';
import { anchorOf } from './anchored.js';
import { type Filters, filterForm, filtersIn, listAddress, path } from './filters.js';
import { actorName, iconOf, type Names, objectOf, type Receipt } from './sentence.js';

type List = z.output<typeof receiptList>;

/** The receipts of the workspace that the person may see, newest first. */
export const receiptsPage: PersonPage = {
  path,
  access: 'a person',
  async show(request, parts) {
    const filters = filtersIn(request.query);
    const namespaces = new Map((await namespacesOf(request, parts)).map(({ id, name }) => [id, name]));
    const found = await listOf(filters, request, parts);
    const isList = !(found instanceof Refusal);
    const actor = (isList && nameOfActor(filters, found)) || filters.actor || '';
    return {
      status: isList ? 200 : found.status,
      title: 'Receipts',
      main: html`<div class="title"><h1>Receipts</h1></div>
${filterForm(filters, namespaces, actor, request.now)}
${isList ? rowsOf(found, filters, request.now) : refused(found)}`,
    };
  },
};

/** A filter that the API does not take leaves the form there, with the reason. */
async function listOf(filters: Filters, request: PersonRequest, parts: PageParts): Promise<List | Refusal> {
  const { namespace, ...others } = filters;
  const before = request.query.get('before');
  const query = {
    ...others,
    ...(namespace === undefined ? {} : { namespace_id: namespace }),
    ...(before === null ? {} : { cursor: before }),
    limit: '25',
    include: 'names',
  };
  try {
    return await ask(receiptList, receiptListOperation, request, { query }, parts);
  } catch (error) {
    if (error instanceof Refusal && [400, 403, 404].includes(error.status) && request.query.size > 0) return error;
    throw error;
  }
}

function refused(refusal: Refusal): Html {
  return html`${problem(sentenceOf(refusal))}<p class="after"><a href="${path}">Remove the filters</a></p>`;
}

function nameOfActor({ actor }: Filters, { data, names = {} }: List): string | undefined {
  const [newest] = data;
  return actor === undefined || newest === undefined ? undefined : actorName(newest, names);
}

function rowsOf({ data, next_cursor, names = {} }: List, filters: Filters, now: number): Html {
  if (data.length === 0) {
    return Object.keys(filters).length > 0
      ? empty('No receipt matches these filters.', html`<a class="button second" href="${path}">Remove the filters</a>`)
      : empty('There is no receipt yet. Each write and each search makes one.');
  }
  return table({
    caption: 'Receipts, newest first',
    columns: [
      { name: 'Kind', look: 'pictured', spoken: true },
      { name: 'Receipt', look: 'wide-cell sentence-cell' },
      { name: 'Proof', look: 'not-on-phones' },
      { name: 'Entry', look: 'number not-on-phones' },
      { name: 'When', look: 'number' },
    ],
    rows: data.map((one) => ({ cells: cells(one, names, now) })),
    end: pager(
      `${data.length} receipt${data.length === 1 ? '' : 's'} shown, newest first`,
      next_cursor === null ? null : listAddress(filters, next_cursor),
    ),
  });
}

function cells(receipt: Receipt, names: Names, now: number): (Html | string | number)[] {
  const { id, kind, seq, recorded_at } = receipt;
  const object = objectOf(receipt, names);
  return [
    html`${icon(iconOf(kind))}<span class="spoken">${kind}</span>`,
    html`<a class="whole" href="${path}/${id}"><b>${said(actorName(receipt, names))}</b> ${didInWords(kind)}</a>${object && html` <small>${object}</small>`}`,
    state(...anchorOf(receipt)),
    seq,
    time(recorded_at, now),
  ];
}

import { Refusal } from '../../../contracts/errors.js';
import { receiptList } from '../../../contracts/receipt-list.js';
import { receiptListOperation } from '../../api/receipts/list.js';
import { ask } from '../ask.js';
import { icon } from '../components/icons.js';
import { empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import type { ListPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest } from '../page.js';
import { actorQuery, actorsFor } from './actors.js';
import { type Filters, filterForm, filtersIn, listAddress, path } from './filters.js';
import { find } from './find.js';
import { peek } from './peek.js';
import { type List, type Place, receiptRows } from './rows.js';
import { actorName } from './sentence.js';
import { tailLine, tailRows } from './tail.js';

/** The receipts of the workspace that the person may see, newest first. */
export const receiptsPage: PersonPage = {
  path,
  access: 'a person',
  async show(request, parts) {
    const wanted = request.query.get('find')?.trim() ?? '';
    const found = wanted === '' ? null : await find(wanted, request, parts);
    if (found !== null) return { location: found };
    const place = placeIn(request.query);
    const { filters, follows } = place;
    if (follows && request.query.has('after')) return look(place, request, parts);
    const namespaces = new Map((await namespacesOf(request, parts)).map(({ id, name }) => [id, name]));
    const list = await listOf(place, request, parts);
    const actors = await actorsFor(request, parts);
    const isList = !(list instanceof Refusal);
    const actor = (isList && nameOfActor(filters, list)) || filters.actor || '';
    return {
      status: isList ? 200 : list.status,
      title: 'Receipts',
      main: html`${pageTop({ title: 'Receipts', actions: actions(place, request) })}
${wanted !== '' && problem('This ledger has no receipt with this hash that you may see.')}
${filterForm(filters, { names: namespaces, actors, actor, now: request.now, wanted })}
${isList ? await listed(list, place, request, parts) : refused(list)}${follows && isList && list.data.length === 0 && html`<p class="note">No receipt matches yet.</p>`}`,
    };
  },
};

/**
 * One look of a list that is followed: only its line and what is new. Each open tab asks for it every few seconds, so nothing else is
 * read for it: with the header and the filters a look without news cost the processor three times as much.
 */
async function look(place: Place, request: PersonRequest, parts: PageParts): Promise<PageAnswer> {
  const list = await listOf(place, request, parts);
  if (list instanceof Refusal)
    return { status: list.status, title: 'Receipts', main: refused(list), withoutHeader: true };
  return { status: 200, title: 'Receipts', main: await listed(list, place, request, parts), withoutHeader: true };
}

/** The ids of the receipts of a page of the list, in their order; none of a list that is followed, because its rows move. */
export async function idsAt(
  { query }: ListPlace,
  request: PersonRequest,
  parts: PageParts,
): Promise<readonly string[]> {
  const place = placeIn(query);
  if (place.follows) return [];
  const list = await listOf(place, { ...request, query }, parts);
  return list instanceof Refusal ? [] : list.data.map(({ id }) => id);
}

function placeIn(query: URLSearchParams): Place {
  const one = (name: string) => query.get(name)?.trim() || undefined;
  const isId = /^rcp_[0-9a-f]{32}$/.test(one('open') ?? '');
  const { until, ...others } = filtersIn(query);
  const follows = query.has('follow');
  return {
    // A list that is followed has no end.
    filters: follows || until === undefined ? others : { ...others, until },
    before: one('before'),
    open: isId ? one('open') : undefined,
    follows,
  };
}

function actions({ filters, follows }: Place, { visitor }: PersonRequest): Html {
  const mayExport = ['owner', 'admin'].includes(visitor.session.person.role);
  const follow = follows
    ? html`<a class="button second" href="${listAddress(filters)}">${icon('pause')}Stop following</a>`
    : html`<a class="button second" href="${listAddress(filters, { follow: '1' })}">${icon('play')}Follow</a>`;
  return html`${follow}${mayExport && html`<a class="button quiet" href="/settings/receipts.jsonl" download>${icon('download')}Export</a>`}`;
}

/** A filter that the API does not take leaves the form there, with the reason. */
async function listOf(
  { filters, before, follows }: Place,
  request: PersonRequest,
  parts: PageParts,
): Promise<List | Refusal> {
  const { namespace, actor, ...others } = filters;
  const after = follows ? request.query.get('after') : null;
  const query = {
    ...others,
    ...actorQuery(actor),
    ...(namespace === undefined ? {} : { namespace_id: namespace }),
    ...(before === undefined ? {} : { cursor: before }),
    ...(after === null ? { limit: '25' } : { after, limit: String(tailRows) }),
    include: 'names',
  };
  try {
    const list = await ask(receiptList, receiptListOperation, request, { query }, parts);
    // What comes after a number comes oldest first; a list of the console always has the newest first.
    return after === null ? list : { ...list, data: list.data.toReversed() };
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
  if (actor?.startsWith('agn_')) return names[actor];
  return actor === undefined || newest === undefined ? undefined : actorName(newest, names);
}

async function listed(list: List, place: Place, request: PersonRequest, parts: PageParts): Promise<Html> {
  const { filters, open, follows } = place;
  const around = { now: request.now, anchoring: parts.services.service.anchoring };
  if (follows) {
    const after = request.query.get('after') ?? undefined;
    return html`${tailLine(list, filters, after)}${receiptRows(list, place, around)}`;
  }
  if (list.data.length === 0) {
    return Object.keys(filters).length > 0
      ? empty('No receipt matches these filters.', html`<a class="button second" href="${path}">Remove the filters</a>`)
      : empty('There is no receipt yet. Each write and each search makes one.');
  }
  const rows = receiptRows(list, place, around);
  if (open === undefined) return rows;
  return html`<div class="with-peek"><div>${rows}</div>${await peek(open, place, list, request, parts)}</div>`;
}

import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import type { memoryList } from '../../../contracts/memory-list.js';
import { counted } from '../components/counted.js';
import { hidden } from '../components/fields.js';
import { icon } from '../components/icons.js';
import { empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type ListPlace, placeAt, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { type AskedSearch, sealSearch, searchIn } from './asked-search.js';
import { foundSection, searchFor } from './found.js';
import { type Filter, filterIn, listedAt } from './listed.js';
import { selectionBar, selectionBox } from './selection.js';

const path = '/memories';

/** The memories: a search, which is recorded, or the list with its filter, which is not. */
export const memoriesPage: PersonPage = {
  path,
  access: 'a person',
  writesNothing: true,
  ofMemoryApi: true,
  async show(request, parts) {
    const search = searchIn(request, parts);
    return overview(request, parts, { search, refusal: null });
  },
  async submit(request, parts) {
    const { form, now } = request;
    const search = { query: form.one('query'), namespace: form.one('namespace'), once: form.one('once'), at: now };
    try {
      await searchFor(search, request, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return overview(request, parts, { search, refusal: error });
      throw error;
    }
    return { location: `${path}?s=${sealSearch(search, request, parts)}`, namesReceipt: true };
  },
};

interface Looking {
  readonly search: AskedSearch | null;
  readonly refusal: Refusal | null;
}

async function overview(request: PersonRequest, parts: PageParts, { search, refusal }: Looking): Promise<Shown> {
  const { token, visitor, now } = request;
  const namespaces = await namespacesOf(request, parts);
  const names = new Map(namespaces.map(({ id, name }) => [id, name]));
  const once = parts.services.writing.world.id();
  const writes = visitor.session.person.role !== 'reader';
  const body =
    search && refusal === null
      ? foundSection(await searchFor(search, request, parts), { names, now, place: placeAt(path, request.query) })
      : await listSection(request, parts, names);
  return {
    status: refusal?.status ?? 200,
    title: 'Memories',
    main: html`${pageTop({ title: 'Memories', actions: writes && html`<a class="button second" href="${path}/new">Add a memory</a>` })}
${!writes && html`<p class="hint">You can read here. An owner or an admin can let you write.</p>`}
${problem(refusal && sentenceOf(refusal))}
<form class="tools" method="post" action="${path}" role="search">${hidden('token', token)}${hidden('once', once)}
<label class="search"><span class="spoken">Search the memories</span>${icon('search')}<input name="query" value="${search?.query}" placeholder="Ask in your own words" maxlength="8000" required></label>
${namespaceChoice(names, search?.namespace ?? '')}
<button>Search</button>${search && html`<a class="button quiet" href="${path}">Back to the list</a>`}</form>
${body}`,
  };
}

export function namespaceChoice(names: ReadonlyMap<string, string>, chosen: string): Html | undefined {
  if (names.size < 2) return undefined;
  const options = [...names].map(
    ([id, name]) => html`<option value="${id}"${id === chosen && html` selected`}>${name}</option>`,
  );
  return html`<label><span class="spoken">Namespace</span><select name="namespace"><option value="">All namespaces</option>${options}</select></label>`;
}

type Listed = z.output<typeof memoryList>['data'][number];

async function listSection(
  request: PersonRequest,
  parts: PageParts,
  names: ReadonlyMap<string, string>,
): Promise<Html> {
  const { query: given, now } = request;
  const filter = filterIn(given);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  let list: z.output<typeof memoryList>;
  try {
    list = await listedAt(given, request, parts);
  } catch (error) {
    if (error instanceof Refusal && error.status < 500 && isFiltered)
      return html`<section><h2>All memories</h2>${filterForm(filter, names)}${problem(sentenceOf(error))}</section>`;
    throw error;
  }
  const writes = request.visitor.session.person.role !== 'reader';
  const place = placeAt(path, given);
  const selected = { namespace: filter.namespace_id, source: filter.source, hasWords: filter.q !== undefined };
  return html`<section><h2>${isFiltered ? 'Memories that match' : 'All memories'} <small>newest first, without test memories</small></h2>
${filterForm(filter, names)}
${list.data.length === 0 ? nothing(isFiltered) : html`${writes && selectionBar(selected, request, parts)}${rows(list, filter, { place, namespaces: names, actors: list.names ?? {}, writes }, now)}`}</section>`;
}

/** The filter of the list. It is a GET, so that its address can be kept, and writes no receipt. */
function filterForm({ q, source, namespace_id }: Filter, names: ReadonlyMap<string, string>): Html {
  return html`<form class="tools" method="get" action="${path}" data-live="typing">
<label class="search"><span class="spoken">Words in the text</span>${icon('search')}<input name="q" value="${q}" placeholder="Words in the text"></label>
<label class="search"><span class="spoken">Source</span>${icon('file-text')}<input name="source" value="${source}" placeholder="Source, exactly"></label>
${namespaceChoice(names, namespace_id ?? '')}<button class="second">Filter</button></form>`;
}

function nothing(isFiltered: boolean): Html {
  return isFiltered
    ? empty('Nothing matches these filters.', html`<a class="button second" href="${path}">Remove the filters</a>`)
    : empty('There is no memory yet.', html`<a class="button second" href="${path}/new">Add the first one</a>`);
}

function rows({ data, next_cursor }: z.output<typeof memoryList>, filter: Filter, names: Names, now: number): Html {
  return table({
    caption: 'Memories, newest first',
    columns: [
      ...(names.writes ? [{ name: 'Select', look: 'check-cell', spoken: true }] : []),
      { name: 'Memory', look: 'wide-cell' },
      { name: 'Namespace', look: 'not-on-phones' },
      { name: 'Written by', look: 'not-on-phones' },
      { name: 'Written', look: 'number' },
    ],
    rows: data.map((one) => ({
      cells: [...(names.writes ? [selectionBox(one.id, one.excerpt)] : []), ...cells(one, names, now)],
    })),
    end: pager(
      counted(data.length, 'memory', 'memories'),
      next_cursor === null ? null : addressOf(filter, next_cursor),
    ),
  });
}

/** The address of a page of the list. */
function addressOf({ q, source, namespace_id: namespace }: Filter, before: string | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ q, source, namespace, before }))
    if (value !== undefined) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

interface Names {
  /** The list itself, to which the page of a memory leads back. */
  readonly place: ListPlace;
  readonly namespaces: ReadonlyMap<string, string>;
  /** The names of people and agents by their ids. */
  readonly actors: Readonly<Record<string, string>>;
  /** Whether the person may delete, so that rows can be selected. */
  readonly writes: boolean;
}

function cells(one: Listed, { place, namespaces, actors }: Names, now: number): (Html | string)[] {
  const { id, excerpt, source, namespace_id, provenance, invalidated, created_at } = one;
  const { app_id, agent_id, user_id } = provenance;
  const writer = [agent_id, user_id].flatMap((id) => (id === null ? [] : [actors[id] ?? id]))[0];
  const marks = [invalidated !== null && 'invalidated', one.playground && 'test'].filter((mark) => mark !== false);
  return [
    html`<a class="whole" href="${withPlace(`/m/${id}`, place)}">${said(excerpt)}</a>${marks.map((mark) => html` <span class="badge">${mark}</span>`)}${source !== null && html`<small>${said(source)}</small>`}`,
    said(namespaces.get(namespace_id) ?? namespace_id),
    said(app_id ?? writer ?? '–'),
    time(created_at, now),
  ];
}

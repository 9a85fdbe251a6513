import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { memoryList } from '../../../contracts/memory-list.js';
import { memoryListOperation } from '../../api/memories/list.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { hidden, selectField, textArea } from '../components/fields.js';
import { icon } from '../components/icons.js';
import { done, empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { pageQuery } from '../lists.js';
import { type AskedSearch, sealSearch, searchIn } from '../memories/asked-search.js';
import { foundSection, searchFor } from '../memories/found.js';
import { namespaceChoice } from '../memories/list.js';
import { selectionBar, selectionBox } from '../memories/selection.js';
import { defaultOf, namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';

const path = '/playground';

/** Test memories: to write some, to search with them, and to make one a real memory. */
export const playgroundPage: PersonPage = {
  path,
  access: 'a person',
  writesNothing: true,
  ofMemoryApi: true,
  show: (request, parts) => playground(request, parts, { search: searchIn(request, parts), refusal: null }),
  async submit(request, parts) {
    const { form, now } = request;
    const given = { query: form.one('query'), namespace: form.one('namespace'), once: form.one('once') };
    const search = { ...given, at: now, tests: true };
    try {
      await searchFor(search, request, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return playground(request, parts, { search, refusal: error });
      throw error;
    }
    return { location: `${path}?s=${sealSearch(search, request, parts)}`, namesReceipt: true };
  },
};

interface Looking {
  readonly search: AskedSearch | null;
  readonly refusal: Refusal | null;
}

async function playground(request: PersonRequest, parts: PageParts, { search, refusal }: Looking): Promise<Shown> {
  const { token, query, visitor, now } = request;
  const namespaces = await namespacesOf(request, parts);
  const names = new Map(namespaces.map(({ id, name }) => [id, name]));
  const writes = visitor.session.person.role !== 'reader';
  const body =
    search && refusal === null
      ? foundSection(await searchFor(search, request, parts), { names, now, place: null, list: path })
      : html`${writes && writing(namespaces, request, parts)}${await tests(names, request, parts)}`;
  return {
    status: refusal?.status ?? 200,
    title: 'Playground',
    main: html`${pageTop({ title: 'Playground', lead: 'Try texts here before agents see them. A test memory is left out by lists and searches that do not ask for test memories, until you make it a real one.' })}
${!writes && html`<p class="hint">You can read and search here. An owner or an admin can let you write.</p>`}
${done(query.has('written') ? 'The test memory was written. Searches on this page find it now or in a moment.' : undefined)}${problem(refusal && sentenceOf(refusal))}
<form class="tools" method="post" action="${path}" role="search">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}
<label class="search"><span class="spoken">Search real and test memories</span>${icon('search')}<input name="query" value="${search?.query}" placeholder="Search real and test memories" maxlength="8000" required></label>
${namespaceChoice(names, search?.namespace ?? '')}
<button>Search</button>${search && html`<a class="button quiet" href="${path}">Back to the playground</a>`}</form>
${body}`,
  };
}

function writing(
  namespaces: Awaited<ReturnType<typeof namespacesOf>>,
  { visitor }: PersonRequest,
  parts: PageParts,
): Html {
  const page = '/memories/new';
  const [first = ''] = defaultOf(namespaces);
  const token = parts.formTokens.of(visitor.session.id, page);
  const options = namespaces.map(({ id, name }) => [id, name] as const);
  return html`<section class="card"><h2>Write a test memory</h2>
<form method="post" action="${page}?test">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}
${textArea({ name: 'content', label: 'Text', hint: 'It gets a receipt and counts as an action, as every write does.', more: html`rows="3" maxlength="1048576" required` })}
${namespaces.length > 1 ? selectField({ name: 'namespace', label: 'Write to', value: first, options }) : hidden('namespace', first)}
<p class="actions"><button>Write the test memory</button></p></form></section>`;
}

type List = z.output<typeof memoryList>;

async function tests(names: ReadonlyMap<string, string>, request: PersonRequest, parts: PageParts): Promise<Html> {
  const query = { playground: 'only', limit: '25', ...pageQuery(request) };
  const { data, next_cursor } = await ask(memoryList, memoryListOperation, request, { query }, parts);
  const writes = request.visitor.session.person.role !== 'reader';
  const older = next_cursor === null ? null : `${path}?before=${encodeURIComponent(next_cursor)}`;
  const bar = { namespace: undefined, source: undefined, hasWords: false };
  return html`<section><h2>Test memories <small>newest first</small></h2>
${data.length === 0 && older === null ? empty(writes ? 'There is no test memory. Write one above, then search for it.' : 'There is no test memory.') : html`${writes && selectionBar(bar, request, parts)}${rows(data, { names, writes, older, now: request.now })}`}</section>`;
}

interface Around {
  readonly names: ReadonlyMap<string, string>;
  readonly writes: boolean;
  readonly older: string | null;
  readonly now: number;
}

function rows(data: List['data'], { names, writes, older, now }: Around): Html {
  return table({
    caption: 'Test memories, newest first',
    columns: [
      ...(writes ? [{ name: 'Select', look: 'check-cell', spoken: true }] : []),
      { name: 'Memory', look: 'wide-cell' },
      { name: 'Namespace', look: 'not-on-phones' },
      { name: 'Written', look: 'number not-on-phones' },
      ...(writes ? [{ name: 'Change', spoken: true }] : []),
    ],
    rows: data.map(({ id, excerpt, namespace_id, invalidated, created_at }) => ({
      cells: [
        ...(writes ? [selectionBox(id, excerpt)] : []),
        html`<a class="whole" href="/m/${id}">${said(excerpt)}</a>${invalidated !== null && html` <span class="badge">invalidated</span>`}`,
        said(names.get(namespace_id) ?? namespace_id),
        time(created_at, now),
        ...(writes
          ? [
              html`<a class="button second small" href="/m/${id}/promote">Make it real<span class="spoken">: ${said(excerpt.slice(0, 60))}</span></a>`,
            ]
          : []),
      ],
    })),
    end: pager(counted(data.length, 'test memory', 'test memories'), older),
  });
}

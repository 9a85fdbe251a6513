import type { z } from 'zod';
import { unusedMemories } from '../../../contracts/recalls.js';
import { unusedMemoriesOperation } from '../../api/memories/unused.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { empty } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { pageQuery } from '../lists.js';
import { defaultOf, namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { selectionBar, selectionBox } from './selection.js';

const path = '/memories/unused';

/** The choices of the period, in days. */
const periods = [
  ['', 'Never recalled'],
  ['30', 'Not for 30 days'],
  ['90', 'Not for 90 days'],
  ['365', 'Not for a year'],
] as const;

/** The memories that no search has had among its results, or none for some time. */
export const unusedPage: PersonPage = { path, access: 'a person', ofMemoryApi: true, show: unused };

type List = z.output<typeof unusedMemories>;

async function unused(request: PersonRequest, parts: PageParts): Promise<Shown> {
  const { query, now, visitor } = request;
  const namespaces = await namespacesOf(request, parts);
  const [first = ''] = defaultOf(namespaces);
  const namespace = query.get('namespace') || first;
  const days = periods.find(([value]) => value === query.get('days'))?.[0] ?? '';
  const writes = visitor.session.person.role !== 'reader';
  const since = days === '' ? {} : { since: new Date(now - Number(days) * 86_400_000).toISOString().slice(0, 10) };
  const asked = { namespace_id: namespace, ...since, include: 'total', limit: '25', ...pageQuery(request) };
  const list =
    namespace === '' ? null : await ask(unusedMemories, unusedMemoriesOperation, request, { query: asked }, parts);
  return {
    status: 200,
    title: 'Unused memories',
    main: html`${pageTop({ title: 'Unused memories', lead: 'Memories that no search had among its results, or none for some time. Searches of all people and agents count. Test memories and memories that are not valid any more are marked: most searches leave them out.' })}
<form class="tools" method="get" action="${path}">${choice(
      'namespace',
      'Namespace',
      namespace,
      namespaces.map(({ id, name }) => [id, name] as const),
    )}
${choice('days', 'Last recall', days, periods)}<button class="second">Show</button></form>
${list === null || list.data.length === 0 ? empty(days === '' ? 'Searches have found every memory of this namespace, or there is none in it.' : 'Searches have found every memory of this namespace in that time, or there is none in it.', html`<a class="button second" href="/memories">Show all memories</a>`) : html`${writes && selectionBar({ namespace: undefined, source: undefined, hasWords: false }, request, parts)}${rows(list, { namespace, days, writes, now })}`}`,
  };
}

function choice(name: string, label: string, chosen: string, options: readonly (readonly [string, string])[]): Html {
  const all = options.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
  return html`<label><span class="spoken">${label}</span><select name="${name}">${all}</select></label>`;
}

interface Around {
  readonly namespace: string;
  readonly days: string;
  readonly writes: boolean;
  readonly now: number;
}

function rows({ data, next_cursor, total }: List, { namespace, days, writes, now }: Around): Html {
  const older =
    next_cursor === null ? null : `${path}?${new URLSearchParams({ namespace, days, before: next_cursor })}`;
  return table({
    caption: 'Unused memories, those that were not recalled for the longest time first',
    columns: [
      ...(writes ? [{ name: 'Select', look: 'check-cell', spoken: true }] : []),
      { name: 'Memory', look: 'wide-cell' },
      { name: 'Last recalled', look: 'number' },
      { name: 'Written', look: 'number not-on-phones' },
    ],
    rows: data.map((one) => ({
      cells: [
        ...(writes ? [selectionBox(one.id, one.excerpt)] : []),
        html`<a class="whole" href="/m/${one.id}">${said(one.excerpt)}</a>${marksOf(one).map((mark) => html` <span class="badge">${mark}</span>`)}${one.source !== null && html`<small>${said(one.source)}</small>`}`,
        one.last_recalled_on ?? 'never',
        time(one.created_at, now),
      ],
    })),
    end: pager(
      `${counted(data.length, 'memory', 'memories')}${total === undefined ? '' : ` of ${total.relation === 'gte' ? 'more than ' : ''}${total.value}`}`,
      older,
    ),
  });
}

function marksOf({ playground, invalidated, status }: List['data'][number]): readonly string[] {
  const unfinished = { ready: false, pending: 'being indexed', failed: 'not searchable' } as const;
  return [playground && 'test', invalidated !== null && 'invalidated', unfinished[status]].filter(
    (mark) => mark !== false,
  );
}

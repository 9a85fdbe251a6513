import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { namespaceList, namespace as namespaceShape } from '../../../contracts/memory.js';
import { namespaceCreateOperation, namespaceListOperation } from '../../api/namespaces/namespaces.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { hidden, textField } from '../components/fields.js';
import { problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { pager, type Row, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { olderAt, pageQuery } from '../lists.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';

export const namespacesPath = '/namespaces';

export type Namespace = z.output<typeof namespaceList>['data'][number];

/** Whether a person may make, rename and delete namespaces; all others only see them. */
export const mayChange = ({ visitor }: PersonRequest): boolean =>
  ['owner', 'admin'].includes(visitor.session.person.role);

/** The namespaces of the workspace with what is in them. */
export const namespaceListPage: PersonPage = {
  path: namespacesPath,
  access: 'a person',
  ofMemoryApi: true,
  writesNothing: true,
  show: (request, parts) => namespaces(request, parts, null),
  async submit(request, parts) {
    const { form } = request;
    try {
      const given = { body: JSON.stringify({ name: form.one('name') }), idempotencyKey: form.one('once') };
      await ask(namespaceShape, namespaceCreateOperation, request, given, parts);
      return { location: namespacesPath };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return namespaces(request, parts, error);
      throw error;
    }
  },
};

async function namespaces(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const query = { ...pageQuery(request), include: 'stats', limit: '100' };
  const { data, next_cursor } = await ask(namespaceList, namespaceListOperation, request, { query }, parts);
  return {
    status: refusal?.status ?? 200,
    title: 'Namespaces',
    main: html`${pageTop({ title: 'Namespaces', lead: 'Each memory is in one namespace. Keys and grants are limited to namespaces; people of this workspace reach all of them.' })}
${table({
  caption: 'Namespaces by name',
  columns: [
    { name: 'Name', look: 'wide-cell' },
    { name: 'Memories', look: 'number' },
    { name: 'Last activity', look: 'number' },
    { name: 'Made', look: 'number not-on-phones' },
  ],
  rows: data.map((one) => row(one, request)),
  end: pager(counted(data.length, 'namespace', 'namespaces'), olderAt(namespacesPath, next_cursor)),
})}
${mayChange(request) ? html`<section class="narrow" id="make"><h2>Make a namespace</h2>${makeForm(request, parts, refusal)}</section>` : html`<p class="note">Owners and admins make, rename and delete namespaces.</p>`}`,
  };
}

function row(
  { id, name, is_default, memory_count, last_activity_at, created_at }: Namespace,
  request: PersonRequest,
): Row {
  const shown = html`${said(name)}`;
  const badge = is_default && html` <span class="badge">default</span>`;
  return {
    cells: [
      mayChange(request)
        ? html`<a class="whole" href="${namespacesPath}/${id}">${shown}</a>${badge}`
        : html`${shown}${badge}`,
      memory_count === undefined ? '–' : memory_count.toLocaleString('en'),
      last_activity_at ? time(last_activity_at, request.now) : html`<span class="none">none</span>`,
      time(created_at, request.now),
    ],
  };
}

function makeForm({ form, token }: PersonRequest, { services }: PageParts, refusal: Refusal | null): Html {
  const name = textField({
    name: 'name',
    label: 'Name',
    value: form.one('name'),
    hint: 'Such as a team, a project or a customer. It can be renamed later.',
    more: html`maxlength="64" autocomplete="off" required`,
  });
  return html`${problem(refusal && sentenceOf(refusal))}
<form method="post" action="${namespacesPath}">${hidden('token', token)}${hidden('once', services.writing.world.id())}
${name}<p class="actions"><button>Make the namespace</button></p></form>`;
}

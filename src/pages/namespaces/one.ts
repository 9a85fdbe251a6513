import { Refusal } from '../../../contracts/errors.js';
import { namespaceDeleted, namespace as namespaceShape } from '../../../contracts/memory.js';
import { namespaceDeleteOperation, namespaceRenameOperation } from '../../api/namespaces/namespaces.js';
import { ask } from '../ask.js';
import { copied } from '../components/copied.js';
import { facts } from '../components/facts.js';
import { hidden, selectField, textField } from '../components/fields.js';
import { identity } from '../components/identity.js';
import { problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { namespacesWithCounts } from './all.js';
import { mayChange, type Namespace, namespacesPath } from './list.js';

/** One namespace: its name, and its end, after its memories were moved to another one. */
export const oneNamespacePage: PersonPage = {
  path: `${namespacesPath}/:namespace_id`,
  access: 'a person',
  ofMemoryApi: true,
  writesNothing: true,
  show: (request, parts) => namespace(request, parts, null),
  async submit(request, parts) {
    try {
      if (request.form.one('do') !== 'delete') {
        const body = JSON.stringify({ name: request.form.one('name') });
        await ask(namespaceShape, namespaceRenameOperation, request, { params: request.params, body }, parts);
        return { location: request.path };
      }
      await remove(request, parts);
      return { location: namespacesPath };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && ![404, 410].includes(error.status))
        return namespace(request, parts, error);
      throw error;
    }
  },
};

/** The name is typed where memories are moved: that cannot be undone by one step back. @throws Refusal as the API does */
async function remove(request: PersonRequest, parts: PageParts): Promise<void> {
  const { form, params } = request;
  const { one } = await found(request, parts);
  const count = one.memory_count ?? 0;
  if (count > 0 && form.one('typed').trim() !== one.name.trim()) {
    throw new Refusal(
      'invalid_request',
      'The name that you have typed is not the name of this namespace. Nothing was done.',
    );
  }
  const to = form.one('move_to');
  const body = JSON.stringify(to === '' ? {} : { move_to: to });
  await ask(namespaceDeleted, namespaceDeleteOperation, request, { params, body }, parts);
}

/** @throws Refusal namespace_not_found */
async function found(
  request: PersonRequest,
  parts: PageParts,
): Promise<{ readonly one: Namespace; readonly others: readonly Namespace[] }> {
  const all = await namespacesWithCounts(request, parts);
  const one = all.find(({ id }) => id === request.params.namespace_id?.toLowerCase());
  if (one === undefined) throw new Refusal('namespace_not_found');
  return { one, others: all.filter(({ id }) => id !== one.id) };
}

async function namespace(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { path, form, token, now } = request;
  const { one, others } = await found(request, parts);
  if (!mayChange(request)) throw new Refusal('admin_required');
  const renamed = form.one('do') === 'rename' ? form.one('name') : one.name;
  return {
    status: refusal?.status ?? 200,
    title: 'Namespace',
    main: html`<div class="narrow">${pageTop({ above: [['Namespaces', namespacesPath]], title: said(one.name) })}
${problem(refusal && sentenceOf(refusal))}
${facts([
  ['Memories', html`<a href="/memories?namespace=${one.id}">${(one.memory_count ?? 0).toLocaleString('en')}</a>`],
  ['Last activity', one.last_activity_at ? time(one.last_activity_at, now) : 'none'],
  ['Made', time(one.created_at, now)],
  ['Id', copied(identity(one.id), one.id)],
])}
<form method="post" action="${path}">${hidden('token', token)}
${textField({ name: 'name', label: 'Name', value: renamed, more: html`maxlength="64" autocomplete="off" required` })}
<p class="actions"><button name="do" value="rename">Save the name</button></p></form>
${one.is_default ? html`<p class="note">This is the default namespace: writes that name none go here, so it cannot be deleted.</p>` : deletePart(one, others, request)}
</div>`,
  };
}

function deletePart(one: Namespace, others: readonly Namespace[], { path, form, token }: PersonRequest): Html {
  const count = one.memory_count ?? 0;
  const memories = count === 1 ? 'Its memory is' : `Its ${count.toLocaleString('en')} memories are`;
  const moving = html`<p>${memories} moved first, each with a receipt. Keys and grants that reach only this namespace reach nothing afterwards.</p>
${selectField({ name: 'move_to', label: 'Move them to', value: form.one('move_to'), options: others.map(({ id, name }) => [id, name] as const) })}
${textField({ name: 'typed', label: `Type the name of this namespace`, value: form.one('typed'), more: html`maxlength="64" autocomplete="off" required` })}`;
  const asks =
    count === 0
      ? html`<p>It has no memories. Keys and grants that reach only this namespace reach nothing afterwards.</p>`
      : moving;
  return html`<section class="end"><h2>Delete the namespace</h2>
<form method="post" action="${path}">${hidden('token', token)}${asks}
<p class="actions"><button class="danger" name="do" value="delete">${count === 0 ? 'Delete the namespace' : 'Move the memories and delete the namespace'}</button></p></form></section>`;
}

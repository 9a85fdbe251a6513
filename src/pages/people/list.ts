import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { memberAdded, memberList } from '../../../contracts/members.js';
import { memberAddOperation, memberListOperation } from '../../api/workspace/members.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { hidden, textField } from '../components/fields.js';
import { done, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { shownOnce } from '../components/shown-once.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { roleChoice, roleWords } from './roles.js';

export type Member = z.output<typeof memberList>['data'][number];

export const peoplePath = '/people';

/** The people of the workspace with their roles, and the form that adds one. */
export const peoplePage: PersonPage = {
  path: peoplePath,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => people(request, parts, null),
  async submit(request, parts) {
    const { form } = request;
    try {
      const given = {
        body: JSON.stringify({ email: form.one('email').trim(), role: form.one('role') }),
        idempotencyKey: form.one('once'),
      };
      const { email, password } = await ask(memberAdded, memberAddOperation, request, given, parts);
      if (password === null) return { location: `${peoplePath}?added` };
      return shownOnce({
        title: 'The password of a person',
        secret: password,
        lead: html`This is the password of <strong><bdi>${email ?? 'the person'}</bdi></strong>. Copy it now and give it to them: it is not shown again. The service stores only its hash.`,
        use: html`<p>They sign in at <a href="/sign-in">/sign-in</a> with their e-mail address, and change the password under <a href="/account">Account</a>.</p>`,
        again: '',
        back: { to: peoplePath, name: 'Back to the people' },
      });
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return people(request, parts, error);
      throw error;
    }
  },
};

async function people(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { query } = request;
  const { data } = await ask(memberList, memberListOperation, request, {}, parts);
  return {
    status: refusal?.status ?? 200,
    title: 'People',
    main: html`${pageTop({ title: 'People', lead: 'Who may sign in to this workspace, and what each of them may do. A change of a role holds from the next request on.' })}
${done(refusal === null && query.has('added') ? 'The person keeps the password that they have already, from another workspace or because this form was sent twice.' : undefined)}
${table({
  caption: 'People, in the order in which they were added',
  columns: [
    { name: 'Person', look: 'wide-cell' },
    { name: 'Role' },
    { name: 'May', look: 'words not-on-phones' },
    { name: 'Added', look: 'number' },
  ],
  rows: data.map((one) => row(one, request)),
  end: pager(counted(data.length, 'person', 'people'), null),
})}
<section class="narrow" id="add"><h2>Add a person</h2>
${addForm(request, parts, refusal)}</section>`,
  };
}

function row({ id, email, role, created_at }: Member, { now, visitor }: PersonRequest) {
  const isSelf = visitor.session.person.member_id === id;
  return {
    cells: [
      html`<a class="whole" href="${peoplePath}/${id}"><bdi>${email}</bdi></a>${isSelf && html` <span class="badge">you</span>`}`,
      role,
      roleWords[role],
      time(created_at, now),
    ],
  };
}

function addForm({ form, token }: PersonRequest, { services }: PageParts, refusal: Refusal | null): Html {
  const email = textField({
    name: 'email',
    label: 'E-mail address',
    value: form.one('email'),
    hint: 'Someone who is new here gets a password, which is shown to you once. No e-mail is sent.',
    more: html`type="email" maxlength="320" autocomplete="off" required`,
  });
  return html`${problem(refusal && sentenceOf(refusal))}
<form method="post" action="${peoplePath}">${hidden('token', token)}${hidden('once', services.writing.world.id())}
${email}
${roleChoice(form.one('role') || 'member')}
<p class="actions"><button>Add the person</button></p></form>`;
}

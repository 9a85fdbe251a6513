import { Refusal } from '../../../contracts/errors.js';
import { memberChanged, memberList, memberRemoved } from '../../../contracts/members.js';
import { memberChangeOperation, memberListOperation, memberRemoveOperation } from '../../api/workspace/members.js';
import { ask } from '../ask.js';
import { facts } from '../components/facts.js';
import { hidden } from '../components/fields.js';
import { done, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { time } from '../components/time.js';
import { html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { peoplePath } from './list.js';
import { roleChoice, roleWords } from './roles.js';

/** One person of the workspace: the role, and the end of the membership. */
export const onePersonPage: PersonPage = {
  path: `${peoplePath}/:member_id`,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => person(request, parts, null),
  async submit(request, parts) {
    const { form, params, path } = request;
    try {
      if (form.one('do') === 'remove') {
        await ask(memberRemoved, memberRemoveOperation, request, { params }, parts);
        return { location: peoplePath };
      }
      const body = JSON.stringify({ role: form.one('role') });
      const { receipt_id } = await ask(memberChanged, memberChangeOperation, request, { params, body }, parts);
      return { location: receipt_id === null ? `${path}?same` : path };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 404) return person(request, parts, error);
      throw error;
    }
  },
};

/** @throws Refusal member_not_found */
async function person(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { params, path, token, form, query, visitor, now } = request;
  const { data } = await ask(memberList, memberListOperation, request, {}, parts);
  const one = data.find(({ id }) => id === params.member_id?.toLowerCase());
  if (one === undefined) throw new Refusal('member_not_found');
  const isSelf = visitor.session.person.member_id === one.id;
  return {
    status: refusal?.status ?? 200,
    title: 'Person',
    main: html`<div class="narrow">${pageTop({ above: [['People', peoplePath]], title: html`<bdi>${one.email}</bdi>` })}
${problem(refusal && sentenceOf(refusal))}${done(refusal === null && query.has('same') ? 'Nothing was changed: the role was this one already.' : undefined)}
${facts([
  ['Role', `${one.role}: may ${roleWords[one.role]}`],
  ['Added', time(one.created_at, now)],
])}
<form method="post" action="${path}">${hidden('token', token)}
${roleChoice(form.one('role') || one.role)}
${isSelf && html`<p class="hint">This is you. With another role you may not be able to change it back.</p>`}
<p class="actions"><button name="do" value="role">Save the role</button></p></form>
<section class="end"><h2>Remove from the workspace</h2>
<p>Their sessions in this workspace end, and with them the programs that they have connected. What they have written stays, with its receipts.</p>
<form method="post" action="${path}">${hidden('token', token)}<p class="actions"><button class="danger" name="do" value="remove">Remove <bdi>${one.email}</bdi></button></p></form>
</section></div>`,
  };
}

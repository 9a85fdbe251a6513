import type { z } from 'zod';
import { type approval, namedApproval } from '../../../contracts/approvals.js';
import { Refusal } from '../../../contracts/errors.js';
import { memberList } from '../../../contracts/members.js';
import { approvalGetOperation } from '../../api/approvals/approvals.js';
import { memberListOperation } from '../../api/workspace/members.js';
import { ask } from '../ask.js';
import { hidden } from '../components/fields.js';
import { begun, done, notice, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { listPlace, placeField, walk, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { carryOut } from './carry-out.js';
import { heldWrite } from './held-write.js';
import { approvalsPath, decide, decision, factsOf, idsAt, outcomeOf, statuses } from './list.js';
import { memoriesOfApproval } from './memories.js';

type Approval = z.output<typeof approval>;

/** One request that waits for a decision, or was decided: what it asks, who may decide, and what comes next. */
export const approvalPage: PersonPage = {
  path: `${approvalsPath}/:approval_id`,
  access: 'a person',
  ofMemoryApi: true,
  show: (request, parts) => overview(request, parts, null),
  async submit(request, parts) {
    const { form, params, path } = request;
    const id = params.approval_id ?? '';
    try {
      if (form.one('do') === 'carry out') {
        await carryOut(id, request, parts);
        return { location: withPlace(`${path}?carried`, listPlace(approvalsPath, request)) };
      }
      await decide(id, request, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 404)
        return overview(request, parts, error);
      throw error;
    }
    return { location: withPlace(`${path}?decided`, listPlace(approvalsPath, request)) };
  },
};

async function overview(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { params, query, token, now } = request;
  const given = { params: { approval_id: params.approval_id ?? '' }, query: { include: 'names' } };
  const one = await ask(namedApproval, approvalGetOperation, request, given, parts);
  const names = new Map(Object.entries(one.names ?? {}));
  const isOpen = one.status === 'pending' || one.status === 'approved';
  const once = parts.services.writing.world.id();
  const place = listPlace(approvalsPath, request);
  const way = await walk(place, {
    id: one.id,
    ids: async () => (place === null ? [] : idsAt(place, request, parts)),
    addressOf: (id) => `${approvalsPath}/${id}`,
  });
  return {
    status: refusal?.status ?? 200,
    title: statuses[one.status],
    main: html`${pageTop({ way, above: [['Approvals', approvalsPath], [html`<code>…${one.id.slice(-12)}</code>`]], title: `${titles[one.kind]}: ${statuses[one.status].toLowerCase()}`, lead: said(one.summary) })}
${problem(refusal && sentenceOf(refusal))}${refusal ? undefined : sentenceAfter(query, one)}
<div class="beside"><div>${one.held && html`<section><h2>What would be written</h2>${heldWrite(one.held)}</section>`}
${await nextStep(one, { request, parts, form: { token, once, kept: placeField(place) } })}
${one.kind === 'bulk_delete' ? (isOpen ? await memoriesOfApproval(one.id, request, parts) : html`<p class="hint">The list of memories was destroyed when the request ended.</p>`) : undefined}</div>
<aside class="column">${factsOf(one, names, now)}</aside></div>`,
  };
}

const titles: Readonly<Record<Approval['kind'], string>> = {
  write: 'A write',
  bulk_delete: 'A delete of several memories',
};

/** The sentence about the step that was just made. The state of the approval says it, and not the address alone. */
function sentenceAfter(query: URLSearchParams, one: Approval): Html | undefined {
  if (query.has('asked') && one.status === 'pending')
    return begun('The delete is requested. Nothing is deleted before it is approved and carried out.');
  if (query.has('decided') && one.status !== 'pending' && one.receipt_id !== null) return outcomeOf(one);
  if (!query.has('carried') || one.selected === undefined || one.receipt_id === null) return undefined;
  const { count, left } = one.selected;
  if (left === count) return undefined;
  return done(`${count - left} of ${count} memories are deleted.`);
}

interface Around {
  readonly request: PersonRequest;
  readonly parts: PageParts;
  readonly form: { readonly token: string; readonly once: string; readonly kept: Html | undefined };
}

async function nextStep(one: Approval, { request, parts, form }: Around): Promise<Html | undefined> {
  const { role, member_id: self } = request.visitor.session.person;
  const { token, once, kept } = form;
  const isOwn = one.requested_by.type === 'person' && one.requested_by.id === self;
  if (one.status === 'approved' && isOwn) {
    if (one.kind === 'write')
      return html`<p class="hint">Send the text again exactly as it was: the service has not kept it. If something differs, it says what, and writes nothing. What was imported is sent again <a href="/import?approval=${one.id}">from Import</a>.</p>
<p class="actions"><a class="button" href="/memories/new?approval=${one.id}">Send the text again</a></p>`;
    return html`<form method="post" action="${request.path}">${hidden('token', token)}${hidden('once', once)}${kept}
<p class="hint">What is deleted cannot be brought back. The receipts stay.</p>
<p class="actions"><button class="danger" name="do" value="carry out">Carry out: delete ${one.selected?.left ?? 'the'} memories</button></p></form>`;
  }
  if (one.status === 'approved') return notice('The requester can now send the request again, exactly as it was.');
  if (one.status !== 'pending') return undefined;
  if (role !== 'owner' && role !== 'admin') return notice('An owner or admin of the workspace decides.');
  const deciders = await decidersOf(one, request, parts);
  const names = html`<p class="hint">May decide: ${deciders.map(({ email }, at) => html`${at === 0 ? '' : ', '}<bdi>${email}</bdi>`)}</p>`;
  if (!deciders.some(({ id }) => id === self))
    return html`${notice('This request is your own. Another owner or admin has to decide about it.')}${names}`;
  return html`${decision(request.path, token, once, kept)}${names}`;
}

/** Owners and admins but for the requester, who decides only as the only owner. */
async function decidersOf({ requested_by: by }: Approval, request: PersonRequest, parts: PageParts) {
  const { data } = await ask(memberList, memberListOperation, request, {}, parts);
  const requester = by.type === 'person' ? by.id : by.user_id;
  const owners = data.filter(({ role }) => role === 'owner');
  const isOnlyOwner = owners.length === 1 && owners[0]?.id === requester;
  return data.filter(({ id, role }) => (role === 'owner' || role === 'admin') && (id !== requester || isOnlyOwner));
}

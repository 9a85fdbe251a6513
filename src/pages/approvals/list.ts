import type { z } from 'zod';
import { approval, approvalList } from '../../../contracts/approvals.js';
import { Refusal } from '../../../contracts/errors.js';
import { memberList } from '../../../contracts/members.js';
import {
  approvalGetOperation,
  approvalListOperation,
  approveOperation,
  rejectOperation,
} from '../../api/approvals/approvals.js';
import { memberListOperation } from '../../api/workspace/members.js';
import { ask } from '../ask.js';
import { hidden } from '../components/fields.js';
import { done, problem, sentenceOf } from '../components/messages.js';
import { time } from '../components/time.js';
import { type ListPlace, placeAt, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { older, pageQuery } from '../lists.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { heldWrite } from './held-write.js';

type Approval = z.output<typeof approval>;

export const approvalsPath = '/approvals';

/** Writes and bulk deletes that wait for the decision of a person, and the decisions. */
export const approvalsPage: PersonPage = {
  path: approvalsPath,
  access: 'a person',
  ofMemoryApi: true,
  async show(request, parts) {
    const shown = request.query.get('show');
    // Earlier versions showed a request at this address.
    if (shown !== null) return { location: `${approvalsPath}/${encodeURIComponent(shown)}` };
    return overview(request, parts, null);
  },
  async submit(request, parts) {
    const id = request.form.one('approval_id');
    try {
      await decide(id, request, parts);
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return overview(request, parts, error);
      throw error;
    }
    return { location: `${approvalsPath}?decided=${encodeURIComponent(id)}` };
  },
};

/** Makes the decision of the form. @throws Refusal as the API does */
export async function decide(id: string, request: PersonRequest, parts: PageParts): Promise<void> {
  const { form } = request;
  const operation = new Map([
    ['approve', approveOperation],
    ['reject', rejectOperation],
  ]).get(form.one('do'));
  if (!operation) throw new Refusal('invalid_request', 'Choose to approve or to reject.');
  const given = { params: { approval_id: id }, idempotencyKey: form.one('once') };
  await ask(approval, operation, request, given, parts);
}

async function overview(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const { query, token, visitor, now } = request;
  const { waiting, all, decided } = await listedAt(request, parts);
  const place = placeAt(approvalsPath, query);
  const mayDecide = ['owner', 'admin'].includes(visitor.session.person.role);
  const names = mayDecide ? await namesOfMembers(request, parts) : new Map<string, string>();
  const form = (one: Approval) =>
    mayDecide
      ? decision(approvalsPath, token, parts.services.writing.world.id(), hidden('approval_id', one.id))
      : undefined;
  return {
    status: refusal?.status ?? 200,
    title: 'Approvals',
    main: html`<div class="wide">
<h1>Approvals</h1>
<p class="lead">${mayDecide ? 'Requests that a rule of this workspace holds back until an owner or admin has decided.' : 'Your own requests. An owner or admin decides about them.'}</p>
${problem(refusal && sentenceOf(refusal))}${refusal ? undefined : await outcome(query.get('decided'), request, parts)}
<section><h2>Waiting</h2>
${waiting.data.length === 0 ? html`<p class="hint">Nothing waits.</p>` : html`<ul class="cards">${waiting.data.map((one) => card(one, { names, form: form(one), now, place }))}</ul>`}
${older(approvalsPath, waiting.next_cursor, 'waiting')}</section>
<section><h2>Decided</h2>
${decided.length === 0 ? html`<p class="hint">Nothing was decided yet.</p>` : html`<ul class="cards">${decided.map((one) => card(one, { names, form: undefined, now, place }))}</ul>`}
${older(approvalsPath, all.next_cursor)}</section>
</div>`,
  };
}

/** The page of what waits and that of what is decided, which the address names. */
async function listedAt(request: PersonRequest, parts: PageParts) {
  const list = (given: Record<string, string>) =>
    ask(approvalList, approvalListOperation, request, { query: given }, parts);
  const waiting = await list({ status: 'pending', limit: '100', ...pageQuery(request, 'waiting') });
  const all = await list(pageQuery(request));
  return { waiting, all, decided: all.data.filter(({ status }) => status !== 'pending') };
}

/** The ids of the requests of a place, in their order. */
export async function idsAt(
  { query }: ListPlace,
  request: PersonRequest,
  parts: PageParts,
): Promise<readonly string[]> {
  const { waiting, decided } = await listedAt({ ...request, query }, parts);
  return [...waiting.data, ...decided].map(({ id }) => id);
}

async function namesOfMembers(request: PersonRequest, parts: PageParts): Promise<ReadonlyMap<string, string>> {
  const { data } = await ask(memberList, memberListOperation, request, {}, parts);
  return new Map(data.map(({ id, email }) => [id, email]));
}

/** A sentence about the decision that was just made. */
async function outcome(id: string | null, request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  if (id === null) return undefined;
  try {
    const one = await ask(approval, approvalGetOperation, request, { params: { approval_id: id } }, parts);
    return outcomeOf(one);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

export function outcomeOf({ status, receipt_id }: Approval): Html | undefined {
  const next = status === 'approved' ? ' The requester can now send the request again, exactly as it was.' : '';
  return done(html`${statuses[status]}. The receipt of the decision is <code>${receipt_id}</code>.${next}`);
}

export const statuses: Readonly<Record<Approval['status'], string>> = {
  pending: 'Waiting',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  used: 'Approved, and carried out',
};

interface Around {
  readonly names: ReadonlyMap<string, string>;
  readonly form: Html | undefined;
  readonly now: number;
  readonly place: ListPlace;
}

function card(one: Approval, { names, form, now, place }: Around): Html {
  return html`<li class="card"><p><a href="${withPlace(`${approvalsPath}/${one.id}`, place)}"><bdi>${one.summary}</bdi></a></p>
${one.held && heldWrite(one.held)}
${factsOf(one, names, now)}
${form}</li>`;
}

export function factsOf(one: Approval, names: ReadonlyMap<string, string>, now: number): Html {
  const { id, status, requested_by: by, created_at, expires_at, decided_by, decided_at, receipt_id } = one;
  const decided =
    decided_at === null
      ? html`<div><dt>${status === 'expired' ? 'Expired' : 'Ends'}</dt><dd>${time(expires_at, now)}</dd></div>`
      : html`<div><dt>${statuses[status]}</dt><dd>${time(decided_at, now)} by <bdi>${names.get(decided_by ?? '') ?? decided_by}</bdi>, receipt <code>${receipt_id}</code></dd></div>`;
  return html`<dl class="facts">
<div><dt>Asked by</dt><dd>${requester(by, names)}</dd></div>
${by.agent_id === null ? undefined : html`<div><dt>Agent</dt><dd><bdi>${by.agent_id}</bdi></dd></div>`}
<div><dt>Asked</dt><dd>${time(created_at, now)}</dd></div>
${decided}
<div><dt>Id</dt><dd><code>${id}</code></dd></div>
</dl>`;
}

const kinds = new Map([
  ['key', 'the API key'],
  ['agent_key', 'the agent key'],
  ['grant', 'the connected client'],
  ['person', 'the person'],
]);

function requester({ type, id, user_id, app_id }: Approval['requested_by'], names: ReadonlyMap<string, string>): Html {
  const name = type === 'person' ? (names.get(id ?? '') ?? id) : (app_id ?? id);
  const owner =
    type !== 'person' && user_id !== null ? html` of <bdi>${names.get(user_id) ?? user_id}</bdi>` : undefined;
  return html`${kinds.get(type) ?? type} <bdi>${name}</bdi>${owner}`;
}

/** @param more the fields that the page needs besides: the id of the approval, where it has several */
export function decision(path: string, token: string, once: string, more?: Html): Html {
  return html`<form method="post" action="${path}" class="inline">${hidden('token', token)}${more}${hidden('once', once)}
<p class="actions"><button name="do" value="approve">Approve</button><button class="danger" name="do" value="reject">Reject</button></p></form>`;
}

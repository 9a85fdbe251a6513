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
import { copied } from '../components/copied.js';
import { counted } from '../components/counted.js';
import { facts } from '../components/facts.js';
import { hidden } from '../components/fields.js';
import { identity } from '../components/identity.js';
import { done, empty, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type ListPlace, placeAt, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import { older, olderAt, pageQuery } from '../lists.js';
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
      ? decision(approvalsPath, token, parts.services.writing.world.id(), hidden('approval_id', one.id), 'second')
      : undefined;
  return {
    status: refusal?.status ?? 200,
    title: 'Approvals',
    main: html`${pageTop({ title: 'Approvals', lead: mayDecide ? 'Requests that a rule of this workspace holds back until an owner or admin has decided.' : 'Your own requests. An owner or admin decides about them.' })}
${problem(refusal && sentenceOf(refusal))}${refusal ? undefined : await outcome(query.get('decided'), request, parts)}
<section><h2>Waiting</h2>
${waiting.data.length === 0 ? empty('Nothing waits for a decision.') : html`<ul class="cards">${waiting.data.map((one) => card(one, { names, form: form(one), now, place }))}</ul>`}
${older(approvalsPath, waiting.next_cursor, 'waiting')}</section>
<section><h2>Decided</h2>
${decided.length === 0 && all.next_cursor === null ? empty('Nothing was decided yet.') : decidedRows(decided, { names, now, place, older: olderAt(approvalsPath, all.next_cursor) })}</section>`,
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
  return done(
    html`${statuses[status]}. The receipt of the decision is ${receipt_id !== null && identity(receipt_id, `/receipts/${receipt_id}`)}.${next}`,
  );
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

const decider = (id: string | null, names: ReadonlyMap<string, string>): Html => said(names.get(id ?? '') ?? id ?? '–');

interface Decided extends Pick<Around, 'names' | 'now' | 'place'> {
  readonly older: string | null;
}

function decidedRows(all: readonly Approval[], { names, now, place, older }: Decided): Html {
  return table({
    caption: 'Requests that were decided, newest first',
    columns: [
      { name: 'Request', look: 'wide-cell' },
      { name: 'Decision' },
      { name: 'By', look: 'not-on-phones' },
      { name: 'When', look: 'number not-on-phones' },
    ],
    rows: all.map((one) => ({
      cells: [
        html`<a class="whole" href="${withPlace(`${approvalsPath}/${one.id}`, place)}">${said(one.summary)}</a>`,
        state(one.status === 'rejected' || one.status === 'expired' ? 'absent' : 'verified', statuses[one.status]),
        one.decided_by === null ? '–' : decider(one.decided_by, names),
        time(one.decided_at ?? one.expires_at, now),
      ],
    })),
    end: pager(counted(all.length, 'request'), older),
  });
}

function card(one: Approval, { names, form, now, place }: Around): Html {
  return html`<li class="card"><p><a href="${withPlace(`${approvalsPath}/${one.id}`, place)}"><bdi>${one.summary}</bdi></a></p>
${one.held && heldWrite(one.held)}
${factsOf(one, names, now)}
${form}</li>`;
}

export function factsOf(one: Approval, names: ReadonlyMap<string, string>, now: number): Html {
  const { id, status, requested_by: by, created_at, expires_at, decided_by, decided_at, receipt_id } = one;
  return facts([
    ['Asked by', requester(by, names)],
    by.agent_id !== null && ['Agent', said(by.agent_id)],
    ['Asked', time(created_at, now)],
    decided_at === null
      ? [status === 'expired' ? 'Expired' : 'Ends', time(expires_at, now)]
      : [statuses[status], html`${time(decided_at, now)} by ${decider(decided_by, names)}`],
    receipt_id !== null && ['Receipt', identity(receipt_id, `/receipts/${receipt_id}`)],
    ['Id', copied(identity(id), id)],
  ]);
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

/**
 * @param more the fields that the page needs besides: the id of the approval, where it has several
 * @param look the class of the button that approves: a page has one filled button at most
 */
export function decision(path: string, token: string, once: string, more?: Html, look?: 'second'): Html {
  return html`<form method="post" action="${path}" class="inline">${hidden('token', token)}${more}${hidden('once', once)}
<p class="actions"><button${look && html` class="${look}"`} name="do" value="approve">Approve</button><button class="danger" name="do" value="reject">Reject</button></p></form>`;
}

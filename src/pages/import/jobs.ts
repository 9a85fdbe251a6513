import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { ingestList } from '../../../contracts/memory.js';
import { jobListOperation } from '../../api/ingest/ingest.js';
import { ask } from '../ask.js';
import { counted } from '../components/counted.js';
import { hidden } from '../components/fields.js';
import { empty, problem, sentenceOf } from '../components/messages.js';
import { said } from '../components/said.js';
import { pager, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { pageQuery } from '../lists.js';

import { namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonRequest } from '../page.js';
import { assumptions, stageOf } from './words.js';

type List = z.output<typeof ingestList>;
type Job = List['data'][number];

const path = '/import';
/** The seconds after which the page looks again while something is in progress. */
const againSeconds = 5;

const running = ['queued', 'extracting', 'chunking', 'embedding', 'indexing'] as const;

/** The stages that the list can be limited to, as the address names it. */
const views = {
  all: { name: 'All', stages: null, nothing: 'Nothing was written yet.' },
  open: { name: 'In progress', stages: running.join(','), nothing: 'Nothing is in progress.' },
  failed: { name: 'Failed', stages: 'failed', nothing: 'No job has failed.' },
  done: { name: 'Done', stages: 'done', nothing: 'No job is done yet.' },
} as const;
type View = keyof typeof views;

const isView = (name: string): name is View => Object.hasOwn(views, name);

/** The jobs that make memories searchable, newest first. Where they cannot be read, the form above stays. */
export async function jobsSection(request: PersonRequest, parts: PageParts): Promise<Html> {
  const given = request.query.get('stage') ?? '';
  const view = isView(given) ? given : 'all';
  const filters = Object.entries(views).map(
    ([name, { name: title }]) =>
      html`<li><a class="chip" href="${addressOf(name)}" data-live${name === view && html` aria-current="true"`}>${title}</a></li>`,
  );
  const top = html`<h2>Jobs <small>of imports and of all other writes, newest first</small></h2>
<ul class="chips" aria-label="Stages">${filters}</ul>`;
  try {
    const { stages } = views[view];
    const query = { ...pageQuery(request), ...(stages !== null && { stage: stages }) };
    const list = await ask(ingestList, jobListOperation, request, { query }, parts);
    return html`<section>${top}${await listed(list, view, request, parts)}</section>`;
  } catch (error) {
    // For a person without a role the whole page says so.
    if (!(error instanceof Refusal) || error.status === 403) throw error;
    return html`<section>${top}${problem(html`${sentenceOf(error)} <a href="${addressOf(view)}">Try again</a>`)}</section>`;
  }
}

const addressOf = (view: string, before?: string): string => {
  const query = new URLSearchParams({
    ...(view !== 'all' && { stage: view }),
    ...(before !== undefined && { before }),
  });
  return query.size === 0 ? path : `${path}?${query}`;
};

async function listed(list: List, view: View, request: PersonRequest, parts: PageParts): Promise<Html> {
  if (list.data.length === 0) {
    const isFirst = view === 'all' && !request.query.has('before');
    return isFirst
      ? empty(views.all.nothing)
      : empty(views[view].nothing, html`<a class="button second" href="${path}">Show all jobs</a>`);
  }
  const names = new Map((await namespacesOf(request, parts)).map(({ id, name }) => [id, name]));
  const writes = request.visitor.session.person.role !== 'reader';
  const isOpen = list.data.some(({ terminal, stalled }) => !terminal && !stalled);
  const hasFailed = list.data.some(({ stage }) => stage === 'failed');
  return html`${writes && hasFailed && retryAll(request, parts)}
${table({
  caption: 'Jobs, newest first',
  columns: [
    { name: 'Text', look: 'wide-cell' },
    { name: 'Stage' },
    { name: 'Namespace', look: 'not-on-phones' },
    { name: 'Begun', look: 'number not-on-phones' },
  ],
  rows: list.data.map((job) => ({ cells: cellsOf(job, { request, parts, names, writes }) })),
  end: pager(
    counted(list.data.length, 'job', 'jobs'),
    list.next_cursor === null ? null : addressOf(view, list.next_cursor),
  ),
})}
${isOpen && html`<cf-again data-seconds="${againSeconds}"><a class="button quiet" href="${request.path}${request.query.size > 0 && `?${request.query}`}" data-live>Look again</a></cf-again>`}`;
}

interface Around {
  readonly request: PersonRequest;
  readonly parts: PageParts;
  readonly names: ReadonlyMap<string, string>;
  readonly writes: boolean;
}

function cellsOf(job: Job, { request, parts, names, writes }: Around): (Html | string)[] {
  const { job_id, memory_id, namespace_id, label, source, failure_reason, attempts, created_at, assumed } = job;
  const { now } = request;
  const why =
    failure_reason !== null &&
    html`<small>${said(failure_reason)}${attempts > 1 && ` It was tried ${attempts} times.`}</small>`;
  return [
    html`<a class="whole" href="/m/${memory_id}">${said(label || 'A text that is not shown')}</a>${source !== null && html`<small>${said(source)}</small>`}${why}${assumed && assumptions(assumed).map((one) => html`<small>${one}</small>`)}`,
    html`${stageOf(job)}${writes && isRetryable(job, now) && retryOne(job_id, request, parts)}`,
    said(names.get(namespace_id) ?? namespace_id),
    time(created_at, now),
  ];
}

/** As the API takes a retry: of a job that has failed, is stalled, or has made no progress for a while. */
function isRetryable({ stage, stalled, updated_at }: Job, now: number): boolean {
  if (stage === 'failed') return true;
  return stage !== 'done' && (stalled || now - Date.parse(updated_at) >= limits.ingestIdleMs);
}

function retryOne(id: string, { token }: PersonRequest, parts: PageParts): Html {
  return html`<form class="inline above" method="post" action="${path}">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}${hidden('job_id', id)}<button class="second small" name="do" value="retry">Retry</button></form>`;
}

function retryAll({ token }: PersonRequest, parts: PageParts): Html {
  return html`<form class="selection" method="post" action="${path}">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}
<button class="second small" name="do" value="retry all">Retry all that failed</button><span class="hint">Also those that are not in this list, at most ${limits.retriedJobs.toLocaleString('en')} at once.</span></form>`;
}

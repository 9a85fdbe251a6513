import type { z } from 'zod';
import { operationJobDetail, operationJobList } from '../../api/service/job-shapes.js';
import { operationJobOperation, operationJobsOperation } from '../../api/service/jobs.js';
import { ask } from '../ask.js';
import { facts } from '../components/facts.js';
import { hidden, selectField } from '../components/fields.js';
import { said } from '../components/said.js';
import { table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';
import { endOf, estimate, isOpen, type Job, type Kind, nouns, progressOf, stateOf, tookOf } from './job-words.js';
import { grouped } from './parts.js';

type List = z.output<typeof operationJobList>;

const path = '/operations';
/** The seconds after which the page looks again while a job has not ended. */
const againSeconds = 3;
/** The jobs that are listed. */
const listed = 10;

/** The option of the form that rebuilds everything. */
export const everything = 'all';

const what: Readonly<Record<Kind, string>> = {
  fsck: 'Compares everything that is stored with the bytes of the ledger: chains, texts, trees, checkpoints, read models and jobs. It changes nothing that is served.',
  replay:
    'Builds tables that answer reads and searches again from the ledger, beside those that serve, and exchanges the two at the end. Rebuilding the search index embeds every memory again.',
};

/** The forms that start a check or a rebuild, and how far each is. */
export async function jobs(request: PersonRequest, parts: PageParts): Promise<Html> {
  const list = await ask(operationJobList, operationJobsOperation, request, {}, parts);
  const chosen = chosenId(request);
  const address = chosen === null ? path : `${path}?job=${chosen}`;
  return html`<p>The service answers and writes meanwhile.</p>
<ul class="cards">${card('fsck', list, request, parts)}${card('replay', list, request, parts)}</ul>
${list.data.some(isOpen) && html`<cf-again data-seconds="${againSeconds}"><a class="button quiet" href="${address}" data-live>Look again</a></cf-again>`}`;
}

/** The newest jobs; undefined where there is none. */
export async function newestJobs(request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  const list = await ask(operationJobList, operationJobsOperation, request, {}, parts);
  return list.data.length === 0 ? undefined : rows(list, chosenId(request), request.now);
}

function card(kind: Kind, list: List, request: PersonRequest, parts: PageParts): Html {
  const open = list.data.find((job) => job.kind === kind && isOpen(job));
  const ended = list.data.find((job) => job.kind === kind && !isOpen(job));
  return html`<li class="card" id="${kind}"><h3>${kind === 'fsck' ? 'Check' : 'Rebuild'}</h3>
<p>${what[kind]}</p>
<p class="hint">${estimate(kind, list.data, list.entries)}</p>
${open ? inProgress(open, request.now) : form(kind, list, request, parts)}
${ended && html`<p class="note"><a href="${path}?job=${ended.job_id}#job">The last ${nouns[kind]}</a> ${endOf(ended)} ${time(ended.ended_at ?? ended.requested_at, request.now)}.</p>`}</li>`;
}

function inProgress(job: Job, now: number): Html {
  // The clock of the database may be ahead of this one.
  const began = Math.min(now, Date.parse(job.started_at ?? job.requested_at));
  const since = time(new Date(began).toISOString(), now);
  const sentence =
    job.state === 'queued'
      ? html`It was requested ${since}. A process with the role <code>upkeep</code> takes it.`
      : html`It began ${since}.`;
  return html`<p>${stateOf(job)}</p>${progressOf(job)}<p class="hint">${sentence}</p>`;
}

function form(kind: Kind, { read_models: models }: List, { token }: PersonRequest, parts: PageParts): Html {
  const options = [[everything, 'All of them'] as const, ...models.map((name) => [name, name] as const)];
  const field =
    kind === 'replay' && selectField({ name: 'read_model', label: 'Read model', value: everything, options });
  return html`<form method="post" action="${path}">${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}${field}
<p class="actions"><button class="second" name="do" value="${kind}">Start a ${nouns[kind]}</button></p></form>`;
}

function rows({ data }: List, chosen: string | null, now: number): Html {
  return table({
    caption: `The newest checks and rebuilds, at most ${listed}`,
    columns: [
      { name: 'Job', look: 'wide-cell' },
      { name: 'State' },
      { name: 'Took', look: 'number not-on-phones' },
      { name: 'Requested', look: 'number' },
    ],
    rows: data.slice(0, listed).map((job) => ({
      selected: job.job_id === chosen,
      cells: [
        html`<a class="whole" href="${path}?job=${job.job_id}#job">${nameOf(job)}</a>`,
        stateOf(job),
        tookOf(job),
        time(job.requested_at, now),
      ],
    })),
  });
}

const nameOf = ({ kind, read_models: models }: Job): string =>
  kind === 'fsck' ? 'Check' : `Rebuild of ${models === null ? 'everything' : models.join(', ')}`;

/** The job that the address names; null where it names none. */
export function chosenId({ query }: Pick<PersonRequest, 'query'>): string | null {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.exec(query.get('job') ?? '')?.[0] ?? null;
}

/** One job, with its result or the faults that it has found. */
export async function oneJob(id: string, request: PersonRequest, parts: PageParts): Promise<Html> {
  const job = await ask(operationJobDetail, operationJobOperation, request, { params: { job_id: id } }, parts);
  const { started_at, ended_at, entries, progress, result, failure_reason, faults, fault_count } = job;
  const { now } = request;
  const lines = (text: string) =>
    html`<ul class="plain">${text.split('\n').map((line) => html`<li>${said(line)}</li>`)}</ul>`;
  return html`${facts([
    ['Job', nameOf(job)],
    ['State', stateOf(job)],
    ['Requested', time(job.requested_at, now)],
    started_at !== null && ['Begun', time(started_at, now)],
    ended_at !== null && ['Ended', time(ended_at, now)],
    ended_at !== null && ['Took', tookOf(job)],
    entries !== null && ['Entries', grouped(entries)],
    progress !== null && ['Last part', `${progress.part}: ${grouped(progress.done)} of ${grouped(progress.total)}`],
    result !== null && ['Result', lines(result)],
    failure_reason !== null && ['Reason', said(failure_reason)],
  ])}
${
  faults.length > 0 &&
  html`<h3>Faults</h3>${fault_count !== null && fault_count > faults.length && html`<p class="hint">${grouped(fault_count)} were found, and the first ones are named. <code>counterfoil fsck</code> names more.</p>`}
<ul class="plain">${faults.map((fault) => html`<li>${said(fault)}</li>`)}</ul>
<p class="note"><a href="/developers/operating/maintenance">Upgrade and maintenance</a> says what a fault means.</p>`
}`;
}

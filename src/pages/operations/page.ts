import { Refusal } from '../../../contracts/errors.js';
import { operationJobStarted } from '../../api/service/job-shapes.js';
import { fsckOperation, replayOperation } from '../../api/service/jobs.js';
import { operationsState, operationsStateOperation } from '../../api/service/state.js';
import { ask } from '../ask.js';
import { begun, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { html } from '../html.js';
import { part } from '../overview/part.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { chosenId, everything, jobs, newestJobs, oneJob } from './jobs.js';
import { checkpoints, logKeyRows } from './log.js';
import { engines, figures, readiness, versions } from './parts.js';

const path = '/operations';

/** The state of the service, for the people who run it, and the forms by which they check it and rebuild its read models. */
export const operationsPage: PersonPage = {
  path,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => overview(request, parts, null),
  async submit(request, parts): Promise<PageAnswer> {
    try {
      return { location: `${path}?started=${await started(request, parts)}` };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return overview(request, parts, error);
      throw error;
    }
  },
};

/** @returns the kind of the job that was started. @throws Refusal as the API does */
async function started(request: PersonRequest, parts: PageParts): Promise<string> {
  const { form } = request;
  const idempotencyKey = form.one('once');
  if (form.one('do') === 'fsck') {
    await ask(operationJobStarted, fsckOperation, request, { idempotencyKey }, parts);
    return 'check';
  }
  const model = form.one('read_model');
  const body = JSON.stringify(model === everything ? {} : { read_models: [model] });
  await ask(operationJobStarted, replayOperation, request, { body, idempotencyKey }, parts);
  return 'rebuild';
}

async function overview(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const state = await ask(operationsState, operationsStateOperation, request, {}, parts);
  const again = { path };
  const job = chosenId(request);
  return {
    status: refusal?.status ?? 200,
    title: 'Operations',
    main: html`${pageTop({ title: 'Operations', actions: html`<a class="button second" href="${path}" data-live>Look again</a>`, lead: html`The state of the service, as this process sees it. <a href="/developers/operating">The pages for operators</a> say what each of it means and what to do.` })}
${problem(refusal && sentenceOf(refusal))}${refusal ? undefined : happened(request.query)}
${readiness(state)}
${await part('Check and rebuild', () => jobs(request, parts), again)}
${await part('Newest jobs', () => newestJobs(request, parts), again)}
${job !== null && html`<div id="job">${await part('One job', () => oneJob(job, request, parts), again)}</div>`}
${figures(state)}
${engines(state)}
${await part('Checkpoints', () => checkpoints(request, parts), again)}
${await part('Keys of the log', () => logKeyRows(request, parts), again)}
${versions(state)}`,
  };
}

const happened = (query: URLSearchParams) => {
  const kind = /^(check|rebuild)$/.exec(query.get('started') ?? '')?.[0];
  return kind && begun(`The ${kind} begins. Its progress and its result are below.`);
};

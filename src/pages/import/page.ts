import { Refusal } from '../../../contracts/errors.js';
import { retried } from '../../../contracts/ingest-retry.js';
import { limits } from '../../../contracts/limits.js';
import { ingestJob, memoryAccepted } from '../../../contracts/memory.js';
import { importOperation, retryOperation } from '../../api/ingest/ingest.js';
import { retryJobsOperation } from '../../api/ingest/retry.js';
import { ask } from '../ask.js';
import { done, notice, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { type Html, html } from '../html.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { approvalOf, importForm, kindOf } from './forms.js';
import { jobsSection } from './jobs.js';

const path = '/import';

/** The page that brings files, texts and pages of the web in, and shows how far each write is. */
export const importPage: PersonPage = {
  path,
  access: 'a person',
  ofMemoryApi: true,
  takesFile: true,
  // A file of 5 MiB and its fields; a text of 1 MiB, of which each byte may take three, is shorter.
  formBytes: limits.sourceBytes + 64 * 1024,
  show: (request, parts) => overview(request, parts, null),
  async submit(request, parts): Promise<PageAnswer> {
    try {
      return { location: await carriedOut(request, parts) };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return overview(request, parts, error);
      throw error;
    }
  },
};

/** @returns where the browser continues. @throws Refusal as the API does */
async function carriedOut(request: PersonRequest, parts: PageParts): Promise<string> {
  const { form } = request;
  const idempotencyKey = form.one('once');
  switch (form.one('do')) {
    case 'retry': {
      const given = { params: { job_id: form.one('job_id') }, idempotencyKey };
      await ask(ingestJob, retryOperation, request, given, parts);
      return `${path}?retried=1`;
    }
    case 'retry all': {
      const body = JSON.stringify({ limit: limits.retriedJobs });
      const answer = await ask(retried, retryJobsOperation, request, { body, idempotencyKey }, parts);
      return `${path}?retried=${answer.retried}${answer.next_cursor === null ? '' : '&more'}`;
    }
    default: {
      const given = { body: JSON.stringify(bodyOf(request)), idempotencyKey };
      const { memory_id, duplicate } = await ask(memoryAccepted, importOperation, request, given, parts);
      return `${path}?${duplicate ? `duplicate=${memory_id}` : 'written'}`;
    }
  }
}

/** The body of the call. @throws Refusal for a form without its source */
function bodyOf(request: PersonRequest): object {
  const { form } = request;
  const approval = approvalOf(request);
  const common = {
    ...(form.one('namespace') !== '' && { namespace: form.one('namespace') }),
    ...(approval !== '' && { approval_id: approval }),
  };
  switch (kindOf(request)) {
    case 'text':
      return { kind: 'text', content: form.one('content').replaceAll('\r\n', '\n'), ...common };
    case 'url':
      return { kind: 'url', url: form.one('url').trim(), ...common };
    case 'file': {
      const { file } = form;
      if (file === undefined) throw new Refusal('invalid_file', 'Choose a file.');
      const { name: filename, type, bytes } = file;
      const data_base64 = Buffer.from(bytes).toString('base64');
      return { kind: 'file', filename, ...(type !== '' && { content_type: type }), data_base64, ...common };
    }
  }
}

async function overview(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const held = refusal?.code === 'approval_required' ? refusal.details.approval_id : undefined;
  const approval = typeof held === 'string' ? held : approvalOf(request);
  const jobs = await jobsSection(request, parts);
  return {
    status: refusal?.status ?? 200,
    title: 'Import',
    script: 'import.js',
    main: html`${pageTop({ title: 'Import' })}
${typeof held === 'string' ? heldNotice(held, kindOf(request) === 'file') : problem(refusal && sentenceOf(refusal))}${refusal ? undefined : happened(request.query)}
${await importForm({ approval }, request, parts)}
${jobs}`,
  };
}

function heldNotice(id: string, isFile: boolean): Html | undefined {
  return notice(
    html`A rule of this workspace holds this until an owner or admin has <a href="/approvals/${id}">decided</a>. Nothing is written before that. When it is approved, send it again from here${isFile && ', and choose the same file'}.`,
  );
}

/** The sentence about what a form has done. */
function happened(query: URLSearchParams): Html | undefined {
  if (query.has('written'))
    return done('The text was written as a memory. Searches find it when its job below is done.');
  const duplicate = /^[0-9a-f-]{36}$/.exec(query.get('duplicate') ?? '')?.[0];
  if (duplicate !== undefined)
    return done(
      html`This text was stored before in this namespace, as <a href="/m/${duplicate}">this memory</a>. Nothing was written.`,
    );
  const count = /^\d{1,4}$/.exec(query.get('retried') ?? '')?.[0];
  if (count === undefined) return undefined;
  const jobs = count === '1' ? '1 job is' : `${count} jobs are`;
  return done(
    html`${count === '0' ? 'No failed job was found.' : `${jobs} queued again.`}${query.has('more') && ' There are more that failed: retry again.'} A retry changes no memory, so it has no receipt.`,
  );
}

import { Refusal } from '../../../contracts/errors.js';
import { ingestIn, ingestJob, ingestList, ingestListQuery, memoryAccepted } from '../../../contracts/memory.js';
import { listJobs } from '../../../projections/ingest/queries.js';
import { type MemoryView, summariesByIds } from '../../../projections/memory/queries.js';
import { excerptOf } from '../../base/excerpt.js';
import { isUuid } from '../../base/world.js';
import { requireAdmission } from '../../commands/add-memory.js';
import type { Source } from '../../commands/imports.js';
import { answeredBefore, onceIn } from '../../commands/once.js';
import { retryJob, visibleJob } from '../../commands/retry-jobs.js';
import { readableNamespaces } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { admit, checkSizes, newMemory, refusalsOfWrites, settleJob } from '../memories/add.js';
import { exampleAccepted } from '../memories/examples.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { jobShape } from '../shapes.js';
import { sourceOf } from './import-source.js';

const exampleJob = {
  job_id: samples.job,
  memory_id: samples.memory,
  namespace_id: samples.namespace,
  stage: 'embedding',
  stage_timestamps: { queued: samples.at, extracting: samples.at, chunking: samples.later, embedding: samples.later },
  failed_stage: null,
  failure_reason: null,
  attempts: 1,
  created_at: samples.at,
  updated_at: samples.later,
  stalled: false,
  terminal: false,
  poll_after_ms: 500,
};

const exampleQueued = { ...exampleJob, stage: 'queued', stage_timestamps: { queued: samples.at }, attempts: 0 };

export const importOperation = operation({
  method: 'POST',
  path: '/v1/ingest',
  summary: 'Import a text, a file or the page at a URL',
  access: 'memory.write',
  counted: 'write',
  body: ingestIn,
  answers: { 200: memoryAccepted, 202: memoryAccepted },
  refusals: [
    'invalid_json',
    'invalid_kind',
    'invalid_file',
    'invalid_url',
    'url_not_allowed',
    'invalid_content',
    'invalid_metadata',
    'invalid_source',
    'invalid_namespace',
    'invalid_request',
    'content_too_large',
    'metadata_too_large',
    'source_too_large',
    'unsupported_file',
    'unsupported_url',
    'unreadable_pdf',
    'no_text',
    'fetch_failed',
    ...refusalsOfWrites,
  ],
  documentation: {
    id: 'importMemory',
    body: 'ImportIn',
    bodyKinds: {
      by: 'kind',
      of: {
        text: { name: 'ImportText', needs: ['content'], takes: ['source'] },
        file: { name: 'ImportFile', needs: ['filename', 'data_base64'], takes: ['content_type'] },
        url: { name: 'ImportUrl', needs: ['url'], takes: [] },
      },
    },
    description:
      'One entry for a text, a file or a page. The result is an ordinary memory, with a job and a receipt. ' +
      'Files are PDFs, read by their text layer, HTML and texts, at most 5 MiB; their text at most 1 MiB, never truncated. Pages are ' +
      'fetched from the public internet only, within 10 seconds.',
    request: {
      kind: 'file',
      filename: 'tram-28.txt',
      content_type: 'text/plain',
      data_base64: 'VGhlIDI4IHRyYW0gcnVucyBmcm9tIE1hcnRpbSBNb25peiB0byBDYW1wbyBPdXJpcXVlLg==',
      metadata: { topic: 'trams' },
    },
    answers: {
      200: {
        description: 'The same text exists in this namespace already: nothing was written.',
        body: { ...exampleAccepted, duplicate: true, stage: 'done' },
      },
      202: {
        description: 'The memory was written and waits for its job.',
        body: exampleAccepted,
      },
    },
  },
  settle: settleJob,
  async handle({ caller, body, texts, once }, services) {
    const { reading, memories } = services;
    const source = sourceOf(body);
    // Before anything is fetched or read: refusals that do not depend on the content, and stored answers.
    checkSizes('', texts.get('metadata') ?? '{}');
    if (source.kind !== 'text') {
      const earlier = await reading.read(async (tx) => {
        const now = reading.now();
        const answer = await answeredBefore(tx, caller.workspaceId, once, now);
        if (!answer) await requireAdmission(tx, caller, body.namespace, now);
        return answer;
      });
      if (earlier) return earlier;
    }
    const { content, label, assumed } = await memories.imports(source, caller.workspaceId);
    const named = nameOf(source, body.source);
    const memory = await newMemory(memories, caller, { ...body, content }, texts, named, label, assumed);
    return admit(services, caller, once, memory);
  },
});

/** Only a browser that splits a file says import:file of a text; any other source of one is what the caller made up. */
function nameOf({ kind }: Source, given: string | null | undefined): string {
  return kind === 'text' ? (given === 'import:file' ? given : 'import:text') : `import:${kind}`;
}

export const jobListOperation = operation({
  method: 'GET',
  path: '/v1/ingest',
  summary: 'Ingest jobs, newest first',
  access: 'memory.read',
  query: ingestListQuery,
  answers: { 200: ingestList },
  refusals: ['invalid_stage', 'invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listJobs',
    description:
      'The jobs of memories in namespaces that the caller reaches. A key or person with fewer namespaces sees fewer jobs.',
    query: { stage: 'queued,failed' },
    answers: {
      200: {
        description: 'A page of jobs.',
        body: { data: [{ ...exampleQueued, source: 'import:file', label: 'travel.pdf' }], next_cursor: null },
      },
    },
  },
  async handle({ caller, query }, { reading: { read, cursors, vault, now: clock } }) {
    const { stage = null, limit, cursor } = query;
    const namespaceIds = readableNamespaces(caller, undefined);
    const bound = [caller.workspaceId, stage];
    const before = cursor === undefined ? null : cursors.open('ingest', bound, cursor);
    const { shown, more, found } = await read(async (tx) => {
      const rows = await listJobs(tx, caller.workspaceId, namespaceIds, stage, before, limit + 1);
      const page = rows.slice(0, limit);
      const ids = page.map(({ memory_id }) => memory_id);
      return { shown: page, more: rows.length > limit, found: await summariesByIds(tx, ids) };
    });
    const memories = new Map((await vault.summaries(read, found)).map((row) => [row.id, row]));
    const last = more ? lastOf(shown) : undefined;
    const now = clock();
    return {
      status: 200,
      body: {
        data: shown.map((row) => ({
          ...jobShape(row, now),
          ...namesOf(memories.get(row.memory_id)),
        })),
        next_cursor: last ? cursors.seal('ingest', bound, last.place) : null,
      },
    };
  },
});

/** How people know a job. One whose memory is not what its receipt commits to is listed all the same, without a word of it. */
function namesOf(memory: MemoryView | undefined) {
  if (!memory) return { source: null, label: '' };
  return { source: memory.source, label: memory.label ?? excerptOf(memory.content, 60) };
}

export const jobOperation = operation({
  method: 'GET',
  path: '/v1/ingest/:job_id',
  summary: 'One ingest job and its stage',
  access: 'memory.read',
  answers: { 200: ingestJob },
  refusals: ['job_not_found', 'job_out_of_scope'],
  documentation: {
    id: 'getJob',
    description: 'Ask again until terminal is true, and wait poll_after_ms between two calls.',
    answers: { 200: { body: exampleJob } },
  },
  async handle({ caller, params }, { reading: { read, now } }) {
    const jobId = jobIdOf(params);
    const job = await read((tx) => visibleJob(tx, caller, jobId));
    return { status: 200, body: jobShape(job, now()) };
  },
});

export const retryOperation = operation({
  method: 'POST',
  path: '/v1/ingest/:job_id/retry',
  summary: 'Retry a failed, stalled or idle job',
  access: 'memory.write',
  counted: 'write',
  answers: { 202: ingestJob },
  refusals: ['job_not_found', 'job_out_of_scope', 'job_not_retryable'],
  documentation: {
    id: 'retryJob',
    description: 'Only a job that has failed, is stalled, or has made no progress for 15 minutes.',
    answers: { 202: { description: 'The job is queued again.', body: exampleQueued } },
  },
  async handle({ caller, params, once }, { writing: { transaction, world }, memories: { wakePipeline } }) {
    const jobId = jobIdOf(params);
    const now = world.now();
    const answer = await transaction((tx) =>
      onceIn(tx, caller.workspaceId, once, now, async () => ({
        status: 202,
        body: jobShape(await retryJob(tx, caller, jobId, now), now),
      })),
    );
    wakePipeline();
    return answer;
  },
});

function jobIdOf(params: Readonly<Record<string, string>>): string {
  const id = params.job_id ?? '';
  if (!isUuid(id)) throw new Refusal('job_not_found');
  return id;
}

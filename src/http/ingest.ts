import { Refusal } from '../../contracts/errors.js';
import { ingestIn, ingestJob, ingestList, ingestListQuery, memoryAccepted } from '../../contracts/memory.js';
import { listJobs } from '../../projections/ingest/queries.js';
import { onceIn } from '../commands/once.js';
import { retryJob, visibleJob } from '../commands/retry-job.js';
import { readableNamespaces, requireNamespaces } from '../domain/caller.js';
import { excerptOf } from '../domain/excerpt.js';
import { endpoint } from './endpoint.js';
import { isUuid, lastOf } from './input.js';
import { admit, newMemory } from './memories.js';
import { jobShape } from './shapes.js';

export const importEndpoint = endpoint({
  method: 'POST',
  path: '/v1/ingest',
  summary: 'Import text (files and URLs are not built yet)',
  access: 'memory.write',
  counted: 'write',
  query: {},
  body: ingestIn,
  answers: { 200: memoryAccepted, 202: memoryAccepted },
  refusals: [
    'invalid_json',
    'invalid_kind',
    'invalid_content',
    'invalid_metadata',
    'invalid_source',
    'invalid_namespace',
    'invalid_request',
    'content_too_large',
    'metadata_too_large',
    'no_text',
    'key_has_no_namespaces',
    'namespace_required',
    'namespace_not_found',
    'namespace_out_of_scope',
    'tenant_paused',
    'content_rejected',
    'receipt_unavailable',
  ],
  async handle({ caller, body, texts, once }, services) {
    // Blank text has nothing in it that could ever be found again.
    if (body.content.trim() === '') throw new Refusal('no_text');
    // Only a browser that splits a file says so; any other source is one that the caller made up.
    const source = body.source === 'import:file' ? 'import:file' : 'import:text';
    return admit(services, caller, once, newMemory(body, texts, source));
  },
});

export const jobListEndpoint = endpoint({
  method: 'GET',
  path: '/v1/ingest',
  summary: 'Ingest jobs, newest first',
  access: 'memory.read',
  query: ingestListQuery,
  body: {},
  answers: { 200: ingestList },
  refusals: ['invalid_stage', 'invalid_cursor', 'invalid_request', 'key_has_no_namespaces'],
  async handle({ caller, query }, { read, cursors, world }) {
    const { stage = null, limit, cursor } = query;
    const namespaceIds = readableNamespaces(caller, undefined);
    const bound = [caller.workspaceId, stage];
    const before = cursor === undefined ? null : cursors.open('ingest', bound, cursor);
    const rows = await read((tx) => listJobs(tx, caller.workspaceId, namespaceIds, stage, before, limit + 1));
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(shown) : undefined;
    const now = world.now();
    return {
      status: 200,
      body: {
        data: shown.map((row) => ({ ...jobShape(row, now), source: row.source, label: excerptOf(row.opening, 60) })),
        next_cursor: last ? cursors.seal('ingest', bound, last.job_id) : null,
      },
    };
  },
});

export const jobEndpoint = endpoint({
  method: 'GET',
  path: '/v1/ingest/:job_id',
  summary: 'How far a job has come',
  access: 'memory.read',
  query: {},
  body: {},
  answers: { 200: ingestJob },
  refusals: ['job_not_found', 'job_out_of_scope', 'key_has_no_namespaces'],
  async handle({ caller, params }, { read, world }) {
    const jobId = jobIdOf(params);
    requireNamespaces(caller);
    const job = await read((tx) => visibleJob(tx, caller, jobId));
    return { status: 200, body: jobShape(job, world.now()) };
  },
});

export const retryEndpoint = endpoint({
  method: 'POST',
  path: '/v1/ingest/:job_id/retry',
  summary: 'Queue a failed, stalled or idle job again',
  access: 'memory.write',
  counted: 'write',
  query: {},
  body: {},
  answers: { 202: ingestJob },
  refusals: ['job_not_found', 'job_out_of_scope', 'job_not_retryable', 'key_has_no_namespaces'],
  async handle({ caller, params, once }, { transaction, world, wakePipeline }) {
    const jobId = jobIdOf(params);
    requireNamespaces(caller);
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

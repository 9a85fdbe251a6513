import { retried, retryIn } from '../../../contracts/ingest-retry.js';
import { limits } from '../../../contracts/limits.js';
import { onceIn } from '../../commands/once.js';
import { retryJobs } from '../../commands/retry-jobs.js';
import { readableNamespaces } from '../../domain/caller.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';

export const retryJobsOperation = operation({
  method: 'POST',
  path: '/v1/ingest/retry',
  summary: 'Retry failed jobs together',
  access: 'memory.write',
  counted: 'write',
  body: retryIn,
  answers: { 200: retried },
  refusals: [
    'invalid_json',
    'invalid_stage',
    'invalid_namespace_ids',
    'invalid_request',
    'invalid_cursor',
    'namespace_out_of_scope',
    'namespace_not_found',
  ],
  documentation: {
    id: 'retryJobs',
    body: 'RetryJobsIn',
    description:
      'The newest failed jobs that the filter selects are queued again, at most limit of them. While next_cursor is not null, a call with the same ' +
      'filter and this cursor continues, also if this call has retried none. A job that fails again is not met a second time by that. ' +
      'Like the retry of one job it writes no receipt, because nothing about the memories changes.',
    request: { failed_stage: 'embedding', since: samples.at, limit: 500 },
    answers: { 200: { body: { retried: 1, job_ids: [samples.job], next_cursor: null } } },
  },
  async handle(
    { caller, body, once },
    { reading: { cursors }, writing: { transaction, world }, memories: { wakePipeline } },
  ) {
    const { failed_stage: failedStage, since, until, limit = limits.retriedJobsDefault, cursor } = body;
    const requested = body.namespace_ids?.map((id) => id.toLowerCase());
    const namespaceIds = readableNamespaces(caller, requested);
    const { workspaceId } = caller;
    const bound = [workspaceId, requested, failedStage, since, until];
    const before = cursor === undefined ? null : cursors.open('retry', bound, cursor);
    const now = world.now();
    const answer = await transaction((tx) =>
      onceIn(tx, workspaceId, once, now, async () => {
        const wanted = { namespaceIds, failedStage, since, until, before };
        const { jobIds, end } = await retryJobs(tx, workspaceId, wanted, limit, now);
        const next_cursor = end === null ? null : cursors.seal('retry', bound, end);
        return { status: 200, body: { retried: jobIds.length, job_ids: jobIds, next_cursor } };
      }),
    );
    wakePipeline();
    return answer;
  },
});

import { z } from 'zod';
import type { OperationJob } from '../../commands/operation-jobs.js';

const count = z.int().min(0);
const moment = z.iso.datetime();

const members = {
  job_id: z.uuid(),
  kind: z.enum(['fsck', 'replay']),
  read_models: z.array(z.string()).nullable().describe('Those that a replay rebuilds; null for all, and for a check.'),
  state: z
    .enum(['queued', 'running', 'done', 'failed', 'interrupted'])
    .describe('interrupted: its process was stopped or killed. It is not continued, and can be started again.'),
  requested_at: moment,
  started_at: moment.nullable(),
  ended_at: moment.nullable(),
  entries: count.nullable().describe('The entries of the ledger when it was started.'),
  progress: z
    .object({
      part: z.string().describe('Such as ledger, trees or the name of a read model.'),
      done: count,
      total: count,
    })
    .nullable()
    .describe('Of the part that is in progress, or was last: entries, leaves or memories, as the part has it.'),
  fault_count: count.nullable().describe('The faults that a check has found; null before its end, and for a replay.'),
  result: z.string().nullable().describe('What was done, where it ended without faults.'),
  failure_reason: z.string().nullable(),
};

export const operationJob = z.object(members).meta({ id: 'OperationJob', description: 'A check or a rebuild.' });

export const operationJobDetail = z
  .object({ ...members, faults: z.array(z.string()).describe('The first 100 of the faults, a sentence for each.') })
  .meta({ id: 'OperationJobDetail', description: 'A check or a rebuild, with the faults that were found.' });

export const operationJobList = z
  .object({
    entries: count.describe('The entries of the ledger now.'),
    read_models: z.array(z.string()).describe('The names that a replay takes.'),
    data: z.array(operationJob),
  })
  .meta({ id: 'OperationJobs', description: 'The newest checks and rebuilds, the newest first.' });

export const operationJobStarted = z
  .object({ job_id: z.uuid(), url: z.string().describe('Where its progress is shown.') })
  .meta({ id: 'OperationJobStarted', description: 'A check or a rebuild that was queued.' });

export function jobShape(job: OperationJob): z.infer<typeof operationJob> {
  const { job_id, kind, models, state, requested_at, started_at, ended_at, entries } = job;
  const { part, done, total, fault_count, result, failure_reason } = job;
  return {
    job_id,
    kind,
    read_models: models.length === 0 ? null : [...models],
    state,
    requested_at,
    started_at,
    ended_at,
    entries,
    progress: part === null || done === null || total === null ? null : { part, done, total },
    fault_count,
    result,
    failure_reason,
  };
}

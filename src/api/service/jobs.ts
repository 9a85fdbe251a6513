import { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { field, listOf } from '../../../contracts/input.js';
import { onceIn, type RequestKey } from '../../commands/once.js';
import {
  operationJob as findJob,
  type OperationKind,
  operationJobs,
  requestOperation,
} from '../../commands/operation-jobs.js';
import type { Caller } from '../../domain/caller.js';
import { type Operation, operation } from '../operation.js';
import { samples } from '../samples.js';
import type { Services } from '../services.js';
import { jobShape, operationJobDetail, operationJobList, operationJobStarted } from './job-shapes.js';

const mostNames = 100;

const replayIn = {
  read_models: field(
    z
      .array(z.string())
      .min(1)
      .max(mostNames)
      .optional()
      .describe('Those to rebuild, as counterfoil replay takes them; all without it. elasticsearch is named alone.'),
    'invalid_request',
    { most: listOf(mostNames, 'invalid_request') },
  ),
} as const;

const jobsPath = '/v1/operations/jobs';
const started = {
  description: 'It is queued. A process with the role upkeep carries it out.',
  body: { job_id: samples.job, url: `${jobsPath}/${samples.job}` },
};
const forOperators = 'For operators, as GET /v1/operations. ';
const oneAtATime =
  'One job of a kind runs at a time, over all processes of a store: 409 operation_running names the other one in details.job_id.';

export const fsckOperation = operation({
  method: 'POST',
  path: '/v1/operations/fsck',
  summary: 'Check everything that is stored against the ledger',
  access: 'see operations',
  counted: 'write',
  answers: { 202: operationJobStarted },
  refusals: ['admin_required', 'invalid_json', 'invalid_request', 'operation_running'],
  documentation: {
    id: 'startFsck',
    description:
      `${forOperators}Does what counterfoil fsck does, while the service answers and writes. It changes nothing that is served. ` +
      oneAtATime,
    answers: { 202: started },
  },
  handle: ({ caller, once }, services) => start(services, caller, once, { kind: 'fsck', models: [] }),
});

export const replayOperation = operation({
  method: 'POST',
  path: '/v1/operations/replay',
  summary: 'Rebuild read models from the ledger',
  access: 'see operations',
  counted: 'write',
  body: replayIn,
  answers: { 202: operationJobStarted },
  refusals: ['admin_required', 'invalid_json', 'invalid_request', 'operation_running'],
  documentation: {
    id: 'startReplay',
    body: 'ReplayIn',
    description:
      `${forOperators}Does what counterfoil replay does, while the service answers and writes: each read model is built beside the one that ` +
      `serves, and the two are exchanged in one transaction. ${oneAtATime}`,
    request: { read_models: ['namespace', 'receipts'] },
    answers: { 202: started },
  },
  handle({ caller, once, body: { read_models: given = [] } }, services) {
    const { readModels } = services.service.operating;
    const unknown = given.find((name) => !readModels.includes(name));
    if (unknown !== undefined) {
      throw new Refusal('invalid_request', `read_models must name some of: ${readModels.join(', ')}.`);
    }
    const models = [...new Set(given)];
    if (models.length > 1 && models.includes('elasticsearch')) {
      throw new Refusal('invalid_request', 'read_models: elasticsearch is rebuilt alone.');
    }
    return start(services, caller, once, { kind: 'replay', models });
  },
});

async function start(
  { service: { operating }, writing: { world, transaction } }: Services,
  caller: Caller,
  once: RequestKey,
  wanted: { readonly kind: OperationKind; readonly models: readonly string[] },
) {
  const answer = await transaction((tx) =>
    onceIn(tx, caller.workspaceId, once, world.now(), async () => {
      const { job_id } = await requestOperation(tx, { ...wanted, id: world.id() }, operating.process);
      return { status: 202, body: { job_id, url: `${jobsPath}/${job_id}` } };
    }),
  );
  operating.wake();
  return answer;
}

const exampleJob = {
  job_id: samples.job,
  kind: 'fsck',
  read_models: null,
  state: 'running',
  requested_at: samples.at,
  started_at: samples.later,
  ended_at: null,
  entries: 48210,
  progress: { part: 'ledger', done: 12000, total: 48210 },
  fault_count: null,
  result: null,
  failure_reason: null,
} as const;

export const operationJobsOperation = operation({
  method: 'GET',
  path: jobsPath,
  summary: 'The newest checks and rebuilds',
  access: 'see operations',
  serving: { cacheControl: 'no-store' },
  answers: { 200: operationJobList },
  refusals: ['admin_required'],
  documentation: {
    id: 'listOperationJobs',
    description: `${forOperators}The complete list: of each kind the newest 20 are kept.`,
    answers: { 200: { body: { entries: 48210, read_models: ['namespace', 'receipts'], data: [exampleJob] } } },
  },
  async handle(_request, { reading: { read }, service: { operating } }) {
    const { entries, jobs } = await read(operationJobs);
    return { status: 200, body: { entries, read_models: [...operating.readModels], data: jobs.map(jobShape) } };
  },
});

export const operationJobOperation = operation({
  method: 'GET',
  path: `${jobsPath}/:job_id`,
  summary: 'A check or a rebuild, with its progress and result',
  access: 'see operations',
  serving: { cacheControl: 'no-store' },
  answers: { 200: operationJobDetail },
  refusals: ['admin_required', 'job_not_found'],
  documentation: {
    id: 'getOperationJob',
    description: forOperators.trim(),
    answers: { 200: { body: { ...exampleJob, faults: [] } } },
  },
  async handle({ params: { job_id = '' } }, { reading: { read } }) {
    const job = await read((tx) => findJob(tx, job_id));
    return { status: 200, body: { ...jobShape(job), faults: [...job.faults] } };
  },
});

export const operationJobOperations: readonly Operation[] = [
  fsckOperation,
  replayOperation,
  operationJobsOperation,
  operationJobOperation,
];

import { Refusal } from '../../../contracts/errors.js';
import { taskReceiptsIn, tasksRecorded } from '../../../contracts/task-recorded.js';
import { answering, once as onlyOnce } from '../../commands/once.js';
import { prepareTasks } from '../../commands/prepare-tasks.js';
import { recordTasks } from '../../commands/record-tasks.js';
import { bytes, operation } from '../operation.js';
import { samples } from '../samples.js';

const exampleTask = {
  receipt_id: 'run-4711-step-1',
  agent_handle: '@archive',
  platform: 'sdk',
  started_at: '2026-03-14T09:26:40Z',
  ended_at: '2026-03-14T09:26:53Z',
  status: 'success',
  task_summary: 'Filed the letters of March.',
  tool_calls: [{ tool: 'files.move', ok: true, latency_ms: 120 }],
  cost_usd: 0.0042,
  declared_scope: ['files.*'],
};

const exampleRecorded = {
  id: samples.receipt,
  receipt_id: exampleTask.receipt_id,
  receipt_hash: samples.hash,
  seq: 42,
  hash: samples.hash,
  prev_hash: samples.otherHash,
  scope_violations: [],
  duplicate: false,
};

export const taskSubmitOperation = operation({
  method: 'POST',
  path: '/v1/receipts',
  summary: 'Submit task receipts: one, or a batch of up to 100',
  access: 'submit task receipts',
  counted: 'taskReceipts',
  serving: { ownBudget: true },
  body: bytes(taskReceiptsIn),
  answers: { 200: tasksRecorded, 201: tasksRecorded },
  refusals: [
    'invalid_json',
    'receipt_too_large',
    'server_assigned_field',
    'invalid_receipt',
    'tenant_paused',
    'plan_action_limit',
    'meter_unavailable',
    'content_rejected',
    'receipt_conflict',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'submitTaskReceipts',
    takesMore: true,
    description:
      'A batch is recorded whole or not at all; details.index of a refusal names the first receipt that is wrong. receipt_id is ' +
      'unique within the workspace: the same receipt again is a duplicate, which writes nothing, and another receipt under it is ' +
      '409 receipt_conflict. Members that the schema does not name are kept exactly as they were sent, and can be erased together ' +
      'with task_summary.',
    request: exampleTask,
    answers: {
      200: {
        description: 'All of them were recorded before: nothing was written.',
        body: { data: [{ ...exampleRecorded, duplicate: true }] },
      },
      201: {
        description: 'They are in the ledger, at least one of them since now.',
        body: { data: [exampleRecorded] },
      },
    },
  },
  async handle({ caller, body, once }, { writing: { run, world }, receipts }) {
    const read = await receipts.readTasks(caller.workspaceId, body, world.now());
    if ('code' in read) throw new Refusal(read.code, read.message, read.details);
    const checks = await receipts.checkAttestations(caller.workspaceId, read);
    const prepared = await prepareTasks({ world, ...receipts }, caller.workspaceId, read);
    const tasks = prepared.map((task, at) => ({ ...task, checks: checks[at] ?? task.checks }));
    const command = answering(recordTasks(receipts, caller, tasks), (data) =>
      data.every(({ duplicate }) => duplicate) ? { status: 200, body: { data } } : { status: 201, body: { data } },
    );
    return run(caller.workspaceId, onlyOnce(command, once));
  },
});

import type { NamedTask } from '../../contracts/task-receipt.js';
import { realWorld } from '../../src/base/world.js';
import { changeWorkspace } from '../../src/commands/change-workspace.js';
import { erasePrivate } from '../../src/commands/erase-private.js';
import { prepareTask } from '../../src/commands/prepare-tasks.js';
import { type NewTask, recordTasks, type TaskRecording } from '../../src/commands/record-tasks.js';
import type { Run } from '../../src/commands/run.js';
import type { Caller } from '../../src/domain/caller.js';
import { createPublicTags } from '../../src/domain/public-tags.js';
import { createSentDigest } from '../../src/domain/task/submitted.js';
import { canonical } from '../../src/verifier/canonical.js';

const secret = new Uint8Array(32).fill(7);

/** Values that depend on the secrets of an installation, for tests without a server. */
export const installation: TaskRecording = { tags: createPublicTags(secret), sentDigest: createSentDigest(secret) };

/** The parts of a store that a question to a workspace needs; a `Store` has it. */
interface Running {
  readonly run: Run;
}

/** Records task receipts with and without private texts, duplicates among them, before, while and after they are public. */
export async function fillTasks({ run }: Running, caller: Caller): Promise<void> {
  const { workspaceId } = caller;
  const owner: Caller = { ...caller, role: 'owner' };
  const submit = (...tasks: NewTask[]) => run(workspaceId, recordTasks(installation, caller, tasks));
  const publish = (publish_task_receipts: boolean) =>
    run(workspaceId, changeWorkspace(realWorld, installation.tags, owner, { name: undefined, publish_task_receipts }));
  const traced = { session_id: 'a session', trace_id: '0'.repeat(32), span_id: '1'.repeat(16) };
  const secret = newTask('private', { task: traced, privateText: '{"task_summary":"no one else reads this"}' });
  const [first] = await submit(secret, newTask('plain'), newTask('plain'));
  await publish(true);
  const settlement = { invoice_id: 'i', rail: 'card', currency: 'USD', amount: 1 } as const;
  const stated = (status: 'initiated' | 'settled') =>
    ({
      market: { schema: 'counterfoil-market/1', capability: 'filing', settlement: { ...settlement, status } },
    }) as const;
  await submit(
    secret,
    newTask('public', { task: stated('initiated') }),
    newTask('settled', { task: stated('settled') }),
  );
  await publish(false);
  await submit(newTask('public', { task: stated('initiated') }), newTask('last', { privateText: '{"a":1.0}' }));
  await run(workspaceId, erasePrivate(realWorld, owner, { receiptId: first?.id ?? '', clientId: 'private' }));
}

interface More {
  readonly task?: Partial<NamedTask>;
  readonly privateText?: string;
  readonly sensitive?: NewTask['sensitive'];
}

/** A task receipt that is prepared for the command that records it. */
export function newTask(id: string, { task: members = {}, privateText, sensitive = {} }: More = {}): NewTask {
  const task: NamedTask = {
    receipt_id: id,
    agent_handle: '@archive',
    platform: 'sdk',
    started_at: '2026-01-15T11:59:00Z',
    ended_at: '2026-01-15T11:59:30Z',
    status: 'success',
    ...members,
  };
  const sent = canonical({ ...task, ...(privateText === undefined ? {} : { private: privateText }) });
  const submitted = { task, scopeViolations: null, privateText: privateText ?? null, canonical: sent };
  return prepareTask({ world: realWorld, ...installation }, submitted, sensitive);
}

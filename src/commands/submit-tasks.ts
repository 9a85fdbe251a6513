import { Refusal } from '../../contracts/errors.js';
import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import type { ReadTasks } from '../domain/task/read.js';
import { runBy } from './by-caller.js';
import { prepareTasks, type RedactTexts } from './prepare-tasks.js';
import { recordTasks, type TaskRecording } from './record-tasks.js';
import type { Run } from './run.js';

/**
 * Submits task receipts in the name of a caller as POST /v1/receipts does, all or none.
 * @param receipts up to 100; none only asks whether the caller may submit now
 * @throws Refusal with the index of the first receipt that is wrong
 */
export type SubmitTasks = (caller: Caller, receipts: readonly object[]) => Promise<void>;

interface SubmitParts extends TaskRecording {
  readonly world: World;
  readonly run: Run;
  readonly redactTexts: RedactTexts;
  readTasks(owner: string, body: Uint8Array, now: Date): Promise<ReturnType<ReadTasks>>;
}

export function createSubmitTasks({ run, readTasks, ...parts }: SubmitParts): SubmitTasks {
  return async (caller, receipts) => {
    const body = Buffer.from(JSON.stringify({ receipts }), 'utf8');
    const read = receipts.length === 0 ? [] : await readTasks(caller.workspaceId, body, parts.world.now());
    if ('code' in read) throw new Refusal(read.code, read.message, read.details);
    const tasks = await prepareTasks(parts, caller.workspaceId, read);
    await runBy(run, caller, 'submit task receipts')(caller.workspaceId, recordTasks(parts, caller, tasks));
  };
}

import { type ErrorCode, Refusal } from '../../contracts/errors.js';
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
export type SubmitTasks = (run: Run, caller: Caller, receipts: readonly object[]) => Promise<void>;

interface SubmitParts extends TaskRecording {
  readonly world: World;
  readonly redactTexts: RedactTexts;
  readTasks(owner: string, body: Uint8Array, now: Date): Promise<ReturnType<ReadTasks>>;
}

export function createSubmitTasks({ readTasks, ...parts }: SubmitParts): SubmitTasks {
  return async (run, caller, receipts) => {
    const body = Buffer.from(JSON.stringify({ receipts }), 'utf8');
    const read = receipts.length === 0 ? [] : await readTasks(caller.workspaceId, body, parts.world.now());
    if ('code' in read) throw new Refusal(read.code, read.message, read.details);
    const tasks = await prepareTasks(parts, caller.workspaceId, read);
    await runBy(run, caller, 'submit task receipts')(caller.workspaceId, recordTasks(parts, caller, tasks));
  };
}

export interface SubmittedReceipt {
  readonly id: string;
  readonly receipt: object;
}

/** Refusals that are about one receipt. Every other one is about the caller, and ends the submission. */
const ofReceipts: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_receipt',
  'server_assigned_field',
  'receipt_too_large',
  'content_rejected',
  'receipt_conflict',
];

const atOnce = 100;

/**
 * Submits receipts in batches, of which each is recorded as a whole or not at all: a receipt that is refused is left out and
 * reported, and the rest is submitted again. A conflict is a receipt that another process has recorded meanwhile.
 * @throws Refusal when the caller may submit nothing now
 */
export async function submitEach<T extends SubmittedReceipt>(
  submit: (receipts: readonly object[]) => Promise<void>,
  receipts: readonly T[],
  refuse: (receipt: T, reason: string) => void,
): Promise<void> {
  for (let from = 0; from < receipts.length; from += atOnce) {
    let left = receipts.slice(from, from + atOnce);
    while (left.length > 0) {
      const refusal = await refusalOf(() => submit(left.map(({ receipt }) => receipt)));
      if (!refusal) break;
      const { index } = refusal.details;
      const wrong = typeof index === 'number' ? left[index] : undefined;
      if (!wrong) throw refusal;
      if (refusal.code !== 'receipt_conflict') refuse(wrong, `${refusal.code}: ${sentenceOf(refusal)}`);
      left = left.filter((one) => one !== wrong);
    }
  }
}

async function refusalOf(submit: () => Promise<void>): Promise<Refusal | null> {
  try {
    await submit();
    return null;
  } catch (error) {
    if (error instanceof Refusal && ofReceipts.includes(error.code)) return error;
    throw error;
  }
}

/** Without the place in a batch, which the sender does not know. */
function sentenceOf({ message }: Refusal): string {
  return message.replace(/^Receipt \d+: /, '').replace(/\.$/, '');
}

import type { Steps } from '../../base/steps.js';
import { createTaskReader, type ReadTasks, readBytes } from '../../domain/task/read.js';
import type { RefusedTasks } from '../../domain/task/refused.js';
import type { SubmittedTask } from '../../domain/task/submitted.js';

/** A body for the thread. */
interface TaskBody {
  readonly body: Uint8Array;
  readonly now: number;
  readonly vendorPlatforms: readonly string[];
}

/** A task receipt on its way between threads. Its members are one text: sending many small objects takes longer. */
interface WrittenTask extends Omit<SubmittedTask, 'task'> {
  readonly task: string;
}

/** The reader of the last body in a thread. All bodies of a process name the same platforms. */
let last: { readonly names: string; readonly read: ReadTasks } | undefined;

/** Reads a body in a thread, and writes what it read for the way back. */
export function readWriting({ body, now, vendorPlatforms }: TaskBody): readonly WrittenTask[] | RefusedTasks {
  const names = vendorPlatforms.join(',');
  if (last?.names !== names) last = { names, read: createTaskReader(vendorPlatforms) };
  const read = readBytes(last.read, body, now);
  return 'code' in read ? read : read.map((one) => ({ ...one, task: JSON.stringify(one.task) }));
}

export function* readWritten(written: readonly WrittenTask[]): Steps<SubmittedTask[]> {
  const tasks: SubmittedTask[] = [];
  for (const one of written) {
    tasks.push({ ...one, task: JSON.parse(one.task) });
    yield;
  }
  return tasks;
}

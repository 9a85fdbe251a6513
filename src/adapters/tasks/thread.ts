import { stepBack } from '../../base/step-back.js';
import { createTaskReader, type ReadTasks } from '../../domain/task/read.js';
import type { RefusedTasks } from '../../domain/task/refused.js';
import { readBytes, type TaskBody, type WrittenTask, writtenTask } from './read-bytes.js';

stepBack();

/** The reader of the last body. All bodies of a process name the same platforms. */
let last: { readonly names: string; readonly read: ReadTasks } | undefined;

/** The task of the thread. It stores nothing. */
export default function readBody({ body, now, vendorPlatforms }: TaskBody): readonly WrittenTask[] | RefusedTasks {
  const names = vendorPlatforms.join(',');
  if (last?.names !== names) last = { names, read: createTaskReader(vendorPlatforms) };
  const read = readBytes(last.read, body, now);
  return 'code' in read ? read : read.map(writtenTask);
}

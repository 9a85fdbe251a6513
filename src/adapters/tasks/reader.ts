import { builtFile } from '../../base/package-root.js';
import { inSlices } from '../../base/steps.js';
import { createTaskReader, type ReadTasks } from '../../domain/task/read.js';
import type { RefusedTasks } from '../../domain/task/refused.js';
import { openThreads } from '../threads.js';
import { readBytes, readWritten, type TaskBody, type WrittenTask } from './read-bytes.js';

/** Bodies up to this size are read on the main thread. */
const smallBody = 128 * 1024;
/** Bytes of all bodies that are read or wait for the thread: the total for large bodies (src/http/route.ts). */
const heldBytes = 64 * 1024 * 1024;
/** The time after the last large body at which the thread ends and frees its memory. */
const idleMs = 30_000;
/** For one body: far more than the slowest one took. */
const deadlineMs = 20_000;

export interface TaskReader {
  /**
   * Reads a body of one task receipt or a batch of them. @throws Refusal rate_limited, or not_ready if the thread failed
   * @param owner whose work it is: see `Task`
   */
  read(owner: string, body: Uint8Array, now: Date): Promise<ReturnType<ReadTasks>>;
  close(): Promise<void>;
}

/**
 * Reads small bodies immediately, and large ones in a thread, which the first of them starts.
 * @param vendorPlatforms the platforms that this installation names besides the fixed ones
 */
export function openTaskReader(vendorPlatforms: readonly string[]): TaskReader {
  const readHere = createTaskReader(vendorPlatforms);
  const threads = openThreads<TaskBody, readonly WrittenTask[] | RefusedTasks>({
    file: builtFile('adapters/tasks/thread.js'),
    threads: 1,
    heldBytes,
    idleMs,
    deadlineMs,
  });
  return {
    async read(owner, body, clock) {
      const now = clock.getTime();
      if (body.length <= smallBody) return readBytes(readHere, body, now);
      const read = await threads.run({ owner, bytes: body.length }, { body, now, vendorPlatforms });
      return 'code' in read ? read : inSlices(readWritten(read));
    },
    close: threads.close,
  };
}

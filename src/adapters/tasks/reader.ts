import { inSlices } from '../../base/steps.js';
import { createTaskReader, type ReadTasks, readBytes } from '../../domain/task/read.js';
import { hereOrThread, openThreads } from '../threads/threads.js';
import { readWritten } from './written.js';

/** Bodies up to this size are read on the main thread. */
const smallBody = 128 * 1024;
/** Bytes of all bodies that are read or wait for the thread: the total for large bodies (src/http/route.ts). */
const heldBytes = 64 * 1024 * 1024;
/** For one body: far more than the slowest one took. */
const deadlineMs = 20_000;

interface TaskReader {
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
  const threads = openThreads({ threads: 1, heldBytes, deadlineMs });
  const readBody = hereOrThread(threads, 'readTasks', {
    small: smallBody,
    sizeOf: ({ body }) => body.length,
    here: ({ body, now }) => ({ here: readBytes(readHere, body, now) }),
  });
  return {
    async read(owner, body, clock) {
      const read = await readBody(owner, { body, now: clock.getTime(), vendorPlatforms });
      if ('here' in read) return read.here;
      return 'code' in read ? read : inSlices(readWritten(read));
    },
    close: threads.close,
  };
}

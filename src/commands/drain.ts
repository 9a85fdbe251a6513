import type { World } from '../base/world.js';
import type { Line } from './line.js';
import type { Waiting } from './waiting.js';

/** With more commands than this in one transaction, the first of them only waits for the last. */
export const batchCommands = 128;
/**
 * How long a batch waits at most for clients that were just answered, most of whom send their next request at once. Taking
 * only those who are there already splits 32 clients into two halves: 700 writes a second instead of 870.
 */
const gatherMs = 10;

/** Commits commands of one line. @returns those that were not appended yet */
type Commit = (line: Line, batch: readonly Waiting[]) => Promise<readonly Waiting[]>;

/** Waits until as many commands are there as are expected. */
export async function gather({ sleep }: Pick<World, 'sleep'>, isMissing: () => boolean): Promise<void> {
  for (let waited = 0; isMissing() && waited < gatherMs; waited += 1) await sleep(1);
}

/** Commits what waits in a line, one batch after the other, until nothing waits or it should not continue. */
export async function drain(line: Line, commit: Commit, continues: () => boolean = () => true): Promise<void> {
  line.busy = true;
  do {
    await gather(line.world, () => line.waiting.length < line.expected);
    const batch = line.waiting.splice(0, batchCommands);
    try {
      const left = await commit(line, batch);
      line.waiting = [...left, ...line.waiting];
      // A batch that was full of bytes needs no others to wait for.
      line.expected = left.length > 0 ? 0 : batch.length + line.waiting.length;
    } catch (error) {
      // Refusals were given one by one; what arrives here is the store failing. No caller may be left waiting.
      for (const waiting of batch) waiting.fail(error);
      line.expected = batch.length + line.waiting.length;
    }
  } while (line.waiting.length > 0 && continues());
  line.busy = false;
}

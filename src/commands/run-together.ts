import { yieldToOthers } from '../base/steps.js';
import type { Run } from './run.js';

/**
 * The number of commands that are in line at once. Other commands of the workspace wait behind these at most: with 1,000 of them, the
 * write of another caller waited for 0.8 s.
 */
const inLine = 64;

/** Some work that ends with a command. It must use the function that it gets. */
type Work<T> = (run: Run) => Promise<T>;

/**
 * Prepares several pieces of work one after the other, and then runs their commands in the same order and in few appends. A piece that is refused before its command does not stop the rest.
 */
export async function runTogether<T>(run: Run, works: readonly Work<T>[]): Promise<PromiseSettledResult<T>[]> {
  const starts: (() => void)[] = [];
  const outcomes: Promise<T>[] = [];
  const startNext = () => starts.shift()?.();
  for (const work of works) {
    await new Promise<void>((prepared) => {
      const holding: Run = (workspaceId, command) =>
        new Promise((resolve, reject) => {
          starts.push(() => void run(workspaceId, command).then(resolve, reject).finally(startNext));
          prepared();
        });
      const outcome = work(holding);
      outcomes.push(outcome);
      outcome.then(
        () => prepared(),
        () => prepared(),
      );
    });
    // Preparing one piece may take some milliseconds, and other requests must not wait for all of them.
    await yieldToOthers();
  }
  for (let started = 0; started < inLine; started += 1) startNext();
  return Promise.allSettled(outcomes);
}

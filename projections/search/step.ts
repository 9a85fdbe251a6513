import type { Transaction } from '../../src/adapters/database/database.js';

/** The model of a document that is still being added, or is being taken apart: it is in no answer and is counted nowhere. */
export const unfinished = '';

/**
 * Runs one step in a transaction of its own, if the caller still has the right to work on the document.
 * @returns what the step returned, or false when it was not run
 */
export type Step = (work: (tx: Transaction) => Promise<boolean>) => Promise<boolean>;

/** The same for a step that gives something. @returns null when it was not run */
export async function stepWith<T>(step: Step, work: (tx: Transaction) => Promise<T>): Promise<T | null> {
  const given: T[] = [];
  const done = await step(async (tx) => {
    given.push(await work(tx));
    return true;
  });
  return done ? (given[0] ?? null) : null;
}

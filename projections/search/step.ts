import type { Transaction } from '../../src/adapters/database/database.js';

/** The model of a document that is being added or removed. No search finds such a document, and it is not counted. */
export const unfinished = '';

/**
 * Runs one step in a transaction of its own, if the caller still has the right to work on the document.
 * @returns what the step returned, or false when it was not run
 */
export type Step = (work: (tx: Transaction) => Promise<boolean>) => Promise<boolean>;

/** Runs a step that returns a value. @returns null when the step was not run */
export async function stepWith<T>(step: Step, work: (tx: Transaction) => Promise<T>): Promise<T | null> {
  const results: T[] = [];
  const done = await step(async (tx) => {
    results.push(await work(tx));
    return true;
  });
  return done ? (results[0] ?? null) : null;
}

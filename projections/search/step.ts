import type { Transaction } from '../../src/database/database.js';

/** The model of a document that is being added or removed. No search finds such a document, and it is not counted. */
export const unfinished = '';

/**
 * The model of a document whose vectors are still to be made, because the embedder was away when it was added. Searches find it by
 * its words. It has no vectors, and no embedder has a model of this name.
 */
export const withoutVectors = 'none';

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

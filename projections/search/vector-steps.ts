import { type Step, stepWith } from './step.js';
import {
  type CodedChunk,
  codesOf,
  insertVectors,
  removeSomeVectors,
  storedInBatches,
  type VectorDocument,
} from './vector-index.js';

/**
 * Adds the vectors of a large document in several transactions.
 * @returns the codes by which searches find the vectors, for the last transaction; null when a step was not run
 */
export async function insertVectorsInSteps(doc: VectorDocument, step: Step): Promise<CodedChunk[] | null> {
  const codes: CodedChunk[] = [];
  for await (const some of storedInBatches(doc)) {
    const added = await stepWith(step, async (tx) => {
      await insertVectors(tx, some);
      return codesOf(some);
    });
    if (!added) return null;
    codes.push(...added);
  }
  return codes;
}

/** Removes the vectors of a large document in several transactions. @returns false when a step was not run */
export async function removeVectorsInSteps(memoryId: string, step: Step): Promise<boolean> {
  for (let left: boolean | null = true; left; ) {
    left = await stepWith(step, (tx) => removeSomeVectors(tx, memoryId));
    if (left === null) return false;
  }
  return true;
}

import type { ForMemories } from '../services.js';

/** Says that the search engine has not confirmed a deletion yet. The deletion is repeated until it has. */
export const pendingErasure: Readonly<Record<string, string>> = { 'x-service-erasure': 'pending' };

/**
 * Waits until nothing of deleted memories is left in the index of the database, and for a moment for the search engine.
 * @returns the headers of the answer
 */
export async function erasureOf(
  { removed, erased }: Pick<ForMemories, 'removed' | 'erased'>,
  memoryIds: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const [, isErased] = await Promise.all([removed(memoryIds), erased(memoryIds)]);
  return isErased ? {} : pendingErasure;
}

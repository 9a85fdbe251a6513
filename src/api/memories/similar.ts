import { Refusal } from '../../../contracts/errors.js';
import { memoryAccepted } from '../../../contracts/memory.js';
import { mostSimilar } from '../../../contracts/similar.js';
import { RawJson } from '../../base/json-text.js';
import type { NewMemory } from '../../commands/add-memory.js';
import type { SimilarMemory } from '../../commands/similar.js';
import { StoreUnavailable } from '../../database/database.js';
import type { Caller } from '../../domain/caller.js';
import type { Answer } from '../answer.js';
import type { Services } from '../services.js';

type Accepted = ReturnType<typeof memoryAccepted.parse>;

/** The memories that are like one that will be written. A search that fails finds none: it may not refuse the write. */
export function similarTo(
  { content, namespace }: NewMemory,
  caller: Caller,
  { memories: { findSimilar } }: Services,
): Promise<readonly SimilarMemory[]> {
  return findSimilar(caller, { content, namespace }).catch((error: unknown) => {
    if (error instanceof Refusal || error instanceof StoreUnavailable) return [];
    throw error;
  });
}

/** The answer to a write, with these other memories. */
export function withSimilar<A extends Answer>(
  answer: A,
  found: readonly SimilarMemory[],
): A & { readonly body: Accepted } {
  const { body } = answer;
  const accepted = memoryAccepted.parse(body instanceof RawJson ? JSON.parse(body.text) : body);
  const others = found.filter(({ memory_id }) => memory_id !== accepted.memory_id);
  return { ...answer, body: { ...accepted, similar: others.slice(0, mostSimilar) } };
}

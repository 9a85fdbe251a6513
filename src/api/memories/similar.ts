import { Refusal } from '../../../contracts/errors.js';
import { memoryAccepted } from '../../../contracts/memory.js';
import { memoryById } from '../../../projections/memory/queries.js';
import { RawJson } from '../../base/json-text.js';
import type { SimilarMemory } from '../../commands/similar.js';
import { StoreUnavailable } from '../../database/database.js';
import type { Caller } from '../../domain/caller.js';
import type { Answer } from '../answer.js';
import type { Services } from '../services.js';

type Accepted = ReturnType<typeof memoryAccepted.parse>;

/** The answer to a write, with the other memories that are like the one that was written. */
export async function withSimilar<A extends Answer>(
  answer: A,
  caller: Caller,
  services: Services,
): Promise<A & { readonly body: Accepted }> {
  const { body } = answer;
  const accepted = memoryAccepted.parse(body instanceof RawJson ? JSON.parse(body.text) : body);
  // The write has happened, so no failure of a search may refuse it.
  const similar = await similarTo(accepted, caller, services).catch((error: unknown) => {
    if (error instanceof Refusal || error instanceof StoreUnavailable) return [];
    throw error;
  });
  return { ...answer, body: { ...accepted, similar } };
}

async function similarTo(
  { memory_id, duplicate }: Accepted,
  caller: Caller,
  { reading: { read, vault }, memories: { findSimilar } }: Services,
): Promise<SimilarMemory[]> {
  const row = await read((tx) => memoryById(tx, caller.workspaceId, memory_id));
  if (!row) return [];
  const { content, namespace_id: namespaceId, created_at: createdAt } = await vault.requireGenuine(row);
  return [...(await findSimilar(caller, { id: memory_id, namespaceId, content, createdAt, duplicate }))];
}

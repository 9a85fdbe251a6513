import type { Term } from './cache.js';
import type { StoredPlace } from './place.js';
import { frequencyAt, sizeOfUnion } from './posting-list.js';

/** The number of documents that have any of these terms of one namespace. */
export function frequencyOfAny(terms: readonly Term[]): number {
  // Most words have one token in a namespace, whose frequency is known.
  const [first, ...others] = terms;
  return others.length === 0 ? (first?.frequency ?? 0) : sizeOfUnion(terms.map(({ list }) => list));
}

/**
 * How often each of these terms is in these memories, by the ids of those that have it. Both the block of a memory in a list and its
 * place there are looked up by halves, because both are sorted.
 */
export function frequenciesAt(
  terms: readonly Term[],
  memories: readonly StoredPlace[],
): (term: Term) => ReadonlyMap<string, number> {
  const found = new Map<string, ReadonlyMap<string, number>>();
  for (const term of terms) if (!found.has(term.term)) found.set(term.term, frequenciesOf(term, memories));
  return ({ term }) => found.get(term) ?? none;
}

const none: ReadonlyMap<string, number> = new Map();

function frequenciesOf({ namespace_id, list }: Term, memories: readonly StoredPlace[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const memory of memories) {
    if (memory.namespaceId !== namespace_id) continue;
    const frequency = frequencyAt(list, memory);
    if (frequency > 0) found.set(memory.id, frequency);
  }
  return found;
}

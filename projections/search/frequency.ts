import type { Term } from './cache.js';
import type { StoredPlace } from './place.js';
import { blockOf, offsetOf, placeOfBlock, sizeOfUnion } from './posting-list.js';

/** The number of documents that have any of these terms of one namespace. */
export function frequencyOfAny(terms: readonly Term[]): number {
  // Most words have one token in a namespace, whose frequency is known.
  const [first, ...others] = terms;
  return others.length === 0 ? (first?.frequency ?? 0) : sizeOfUnion(terms.map(({ list }) => list));
}

/** The memories of a block: their ids by their offsets. */
interface Wanted {
  readonly namespaceId: string;
  readonly block: number;
  readonly ids: (string | undefined)[];
}

/**
 * How often each of these terms is in these memories, by the ids of those that have it. It reads each list once and only the blocks of
 * these memories: looking up each memory in each list took a quarter of the processor time of a search.
 */
export function frequenciesAt(
  terms: readonly Term[],
  memories: readonly StoredPlace[],
): (term: Term) => ReadonlyMap<string, number> {
  const wanted = wantedOf(memories);
  const found = new Map<string, ReadonlyMap<string, number>>();
  for (const term of terms) if (!found.has(term.term)) found.set(term.term, frequenciesOf(term, wanted));
  return ({ term }) => found.get(term) ?? none;
}

const none: ReadonlyMap<string, number> = new Map();

function wantedOf(memories: readonly StoredPlace[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const memory of memories) {
    const { id, namespaceId } = memory;
    const block = blockOf(memory);
    const key = `${block} ${namespaceId}`;
    const one = wanted.get(key) ?? { namespaceId, block, ids: [] };
    wanted.set(key, one);
    one.ids[offsetOf(memory)] = id;
  }
  return [...wanted.values()];
}

function frequenciesOf({ namespace_id, list }: Term, wanted: readonly Wanted[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { namespaceId, block, ids } of wanted) {
    const at = namespaceId === namespace_id ? placeOfBlock(list, block) : -1;
    if (at < 0) continue;
    const end = list.starts[at + 1] ?? 0;
    for (let i = list.starts[at] ?? 0; i < end; i += 1) {
      const id = ids[list.offsets[i] ?? 0];
      if (id !== undefined) found.set(id, list.frequencies[i] ?? 0);
    }
  }
  return found;
}

import type { Term } from './cache.js';
import type { StoredPlace } from './place.js';
import { blockOf, blockSize, frequencyAt, offsetOf, sizeOfUnion } from './posting-list.js';

/** The number of documents that have any of these terms of one namespace. */
export function frequencyOfAny(terms: readonly Term[]): number {
  // Most words have one token in a namespace, whose frequency is known.
  const [first, ...others] = terms;
  return others.length === 0 ? (first?.frequency ?? 0) : sizeOfUnion(terms.map(({ list }) => list));
}

/** The memories of a block. */
interface Wanted {
  readonly memories: StoredPlace[];
  /** Where the places of the block begin in `places`. */
  readonly from: number;
}

/**
 * For each offset of each wanted block the place of a memory among those of the block, from 1; 0 where none is wanted. Nothing waits
 * between filling and reading it, so it is used again, and a search does not allocate an array for each block.
 */
let places = new Uint16Array(64 * blockSize);

/**
 * How often each of these terms is in these memories, by the ids of those that have it. It reads each list once and only the blocks of
 * these memories: looking up each memory in each list took a quarter of the processor time of a search.
 * @param memories lists of memories, of which one may be in several
 */
export function frequenciesAt(
  terms: readonly Term[],
  memories: Iterable<readonly StoredPlace[]>,
): (term: Term) => ReadonlyMap<string, number> {
  const wanted = wantedOf(memories);
  const found = new Map<string, ReadonlyMap<string, number>>();
  for (const term of terms) if (!found.has(term.term)) found.set(term.term, frequenciesOf(term, wanted));
  return ({ term }) => found.get(term) ?? none;
}

const none: ReadonlyMap<string, number> = new Map();

/** By namespace and block. */
type WantedBlocks = ReadonlyMap<string, ReadonlyMap<number, Wanted>>;

function wantedOf(lists: Iterable<readonly StoredPlace[]>): WantedBlocks {
  const wanted = new Map<string, Map<number, Wanted>>();
  let [last, blocks] = ['', new Map<number, Wanted>()];
  let end = 0;
  for (const list of lists) {
    for (const memory of list) {
      const { namespaceId } = memory;
      if (namespaceId !== last) {
        blocks = wanted.get(namespaceId) ?? new Map<number, Wanted>();
        wanted.set(namespaceId, blocks);
        last = namespaceId;
      }
      const block = blockOf(memory);
      let one = blocks.get(block);
      if (!one) {
        one = { memories: [], from: end };
        blocks.set(block, one);
        end = withRoom(end);
      }
      const at = one.from + offsetOf(memory);
      if (places[at] === 0) places[at] = one.memories.push(memory);
    }
  }
  return wanted;
}

/** Makes room for a block without wanted memories. @returns the end of it */
function withRoom(from: number): number {
  const end = from + blockSize;
  if (end > places.length) {
    const larger = new Uint16Array(2 * places.length);
    larger.set(places);
    places = larger;
  }
  places.fill(0, from, end);
  return end;
}

/** A block of a list that has more postings for each memory than this is not read: the memories are looked up in it by halves. */
const readForEach = 16;

function frequenciesOf({ namespace_id, list }: Term, wanted: WantedBlocks): Map<string, number> {
  const found = new Map<string, number>();
  const { blocks, starts, offsets, frequencies } = list;
  const own = wanted.get(namespace_id);
  if (!own) return found;
  for (let at = 0; at < blocks.length; at += 1) {
    const one = own.get(blocks[at] ?? -1);
    if (!one) continue;
    const [from, end] = [starts[at] ?? 0, starts[at + 1] ?? 0];
    if (end - from > readForEach * one.memories.length) {
      for (const memory of one.memories) {
        const frequency = frequencyAt(list, at, offsetOf(memory));
        if (frequency > 0) found.set(memory.id, frequency);
      }
      continue;
    }
    for (let i = from; i < end; i += 1) {
      const place = places[one.from + (offsets[i] ?? 0)] ?? 0;
      const memory = place === 0 ? undefined : one.memories[place - 1];
      if (memory) found.set(memory.id, frequencies[i] ?? 0);
    }
  }
  return found;
}

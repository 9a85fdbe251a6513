import { postingBits } from './blocks.js';
import { countPostings, lengthsOf, postingsInto, restOf } from './buckets.js';
import type { Place } from './place.js';

/** The entries of a bucket in one block. */
export interface StoredBlock {
  readonly block: number;
  readonly entries: Buffer;
}

/**
 * All documents of a namespace that hold a word, in the order of their numbers. An object for each block made searches among 10,000
 * memories more expensive than among 1,000: these few arrays are read as fast as the memory gives them.
 */
export interface PostingList {
  /** The blocks that hold the word, the oldest first. */
  readonly blocks: Uint32Array;
  /** Where the postings of each block begin, and where those of the last one end. */
  readonly starts: Uint32Array;
  /** The place of each document in its block. */
  readonly offsets: Uint8Array;
  /** How often each document has the word. */
  readonly frequencies: Uint16Array;
}

/** The lengths of the documents of a namespace, by block and offset. */
export type Lengths = ReadonlyMap<number, Float64Array>;

export const blockSize = 2 ** postingBits;

export const blockOf = ({ seq }: Pick<Place, 'seq'>): number => Math.floor(seq / blockSize);
export const offsetOf = ({ seq }: Pick<Place, 'seq'>): number => seq % blockSize;

/** The bytes of a list in memory. */
export const bytesOfList = (list: PostingList | null): number =>
  list === null ? 300 : 600 + 8 * list.blocks.length + 3 * list.offsets.length;

/** The bytes of lengths in memory. */
export const bytesOfLengths = (lengths: Lengths): number => 300 + (8 * blockSize + 200) * lengths.size;

/** The postings of a word in the blocks of its bucket; null if no document has it. */
export function listOf(blocks: readonly StoredBlock[], term: string): PostingList | null {
  const rest = restOf(term);
  const counts = blocks.map(({ entries }) => countPostings(entries, rest));
  const held = blocks.filter((_, i) => (counts[i] ?? 0) > 0);
  if (held.length === 0) return null;
  const size = counts.reduce((sum, count) => sum + count, 0);
  const list = {
    blocks: Uint32Array.from(held, ({ block }) => block),
    starts: new Uint32Array(held.length + 1),
    offsets: new Uint8Array(size),
    frequencies: new Uint16Array(size),
  };
  let end = 0;
  for (const [i, { entries }] of held.entries()) {
    end = postingsInto(list, end, entries, rest);
    list.starts[i + 1] = end;
  }
  return list;
}

/** A list whose blocks from `from` on are those of `added`. */
export function continued(list: PostingList | null, from: number, added: PostingList | null): PostingList | null {
  if (list === null) return added;
  const before = firstFrom(list.blocks, from);
  if (before === 0) return added;
  if (added === null && before === list.blocks.length) return list;
  const kept = list.starts[before] ?? 0;
  const [blocks, postings] = [before + (added?.blocks.length ?? 0), kept + (added?.offsets.length ?? 0)];
  const starts = added?.starts.map((start) => kept + start) ?? Uint32Array.of(kept);
  return {
    blocks: joined(new Uint32Array(blocks), list.blocks.subarray(0, before), added?.blocks),
    starts: joined(new Uint32Array(blocks + 1), list.starts.subarray(0, before), starts),
    offsets: joined(new Uint8Array(postings), list.offsets.subarray(0, kept), added?.offsets),
    frequencies: joined(new Uint16Array(postings), list.frequencies.subarray(0, kept), added?.frequencies),
  };
}

function joined<T extends Uint8Array | Uint16Array | Uint32Array>(into: T, first: T, second: T | undefined): T {
  into.set(first);
  if (second) into.set(second, first.length);
  return into;
}

/** The place of the first block that is not before `from`. */
function firstFrom(blocks: Uint32Array, from: number): number {
  let at = blocks.length;
  while (at > 0 && (blocks[at - 1] ?? 0) >= from) at -= 1;
  return at;
}

/** The lengths in the blocks of their bucket. */
export const lengthsIn = (blocks: readonly StoredBlock[]): [block: number, lengths: Float64Array][] =>
  blocks.map(({ block, entries }) => [block, lengthsOf(entries)]);

/** The place of a block in a list; −1 if it does not hold the word. */
export function placeOfBlock({ blocks }: PostingList, block: number): number {
  let [low, high] = [0, blocks.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = blocks[middle] ?? 0;
    if (found === block) return middle;
    if (found < block) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/**
 * How often a document has the word.
 * @param at the place of its block in the list
 */
export function frequencyAt({ starts, offsets, frequencies }: PostingList, at: number, offset: number): number {
  let [low, high] = [starts[at] ?? 0, (starts[at + 1] ?? 0) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = offsets[middle] ?? 0;
    if (found === offset) return frequencies[middle] ?? 0;
    if (found < offset) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** The offsets of the documents of a block that have the word. */
export function offsetsIn(list: PostingList, block: number): Uint8Array {
  const at = placeOfBlock(list, block);
  return at < 0 ? new Uint8Array(0) : list.offsets.subarray(list.starts[at], list.starts[at + 1]);
}

/** The number of documents that are in any of these lists. */
export function sizeOfUnion(lists: readonly PostingList[]): number {
  const has = new Uint8Array(blockSize);
  let count = 0;
  for (const block of new Set(lists.flatMap(({ blocks }) => [...blocks]))) {
    has.fill(0);
    for (const list of lists) for (const offset of offsetsIn(list, block)) has[offset] = 1;
    for (const one of has) count += one;
  }
  return count;
}

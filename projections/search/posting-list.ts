import { postingBits } from './blocks.js';
import { countPostings, lengthsOf, postingsInto } from './buckets.js';
import type { Place } from './place.js';

/** The rows of one bucket as they are stored. */
export interface Bucket {
  /** The version of the namespace under which they were read. */
  readonly version: string;
  /** The blocks and their versions, as the database listed them: see `listOfBlocks`. */
  readonly listed: string;
  /** The oldest first. */
  readonly blocks: readonly StoredBlock[];
}

export interface StoredBlock {
  readonly block: number;
  /** The version of its row. */
  readonly version: string;
  readonly entries: Buffer;
}

/**
 * All documents of a namespace that hold a word, in the order of their numbers. An object for each block made searches among 10,000
 * memories more expensive than among 1,000: these few arrays are read as fast as the memory gives them.
 */
export interface PostingList {
  /** The blocks that hold the word, the oldest first. */
  readonly blocks: Float64Array;
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
export const bytesOfList = ({ blocks, offsets }: PostingList): number => 400 + 12 * blocks.length + 3 * offsets.length;

/** The postings of a word in the blocks of its bucket; null if no document has it. */
export function listOf(blocks: readonly StoredBlock[], term: string): PostingList | null {
  const counts = blocks.map(({ entries }) => countPostings(entries, term));
  const held = blocks.filter((_, i) => (counts[i] ?? 0) > 0);
  if (held.length === 0) return null;
  const size = counts.reduce((sum, count) => sum + count, 0);
  const list = {
    blocks: Float64Array.from(held, ({ block }) => block),
    starts: new Uint32Array(held.length + 1),
    offsets: new Uint8Array(size),
    frequencies: new Uint16Array(size),
  };
  let end = 0;
  for (const [i, { entries }] of held.entries()) {
    end = postingsInto(list, end, entries, term);
    list.starts[i + 1] = end;
  }
  return list;
}

const decoded = new WeakMap<readonly StoredBlock[], Lengths>();
const decodedBlocks = new WeakMap<Buffer, Float64Array>();

/** The lengths in the blocks of their bucket. Those of blocks that have not changed are decoded once. */
export function lengthsIn(blocks: readonly StoredBlock[]): Lengths {
  const known = decoded.get(blocks);
  if (known) return known;
  const lengths = new Map(blocks.map(({ block, entries }) => [block, lengthsOfBlock(entries)]));
  decoded.set(blocks, lengths);
  return lengths;
}

function lengthsOfBlock(entries: Buffer): Float64Array {
  const known = decodedBlocks.get(entries) ?? lengthsOf(entries);
  decodedBlocks.set(entries, known);
  return known;
}

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

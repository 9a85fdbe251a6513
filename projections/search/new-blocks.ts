import { codeBits, offsetBytes, postingBits } from './blocks.js';
import { entriesOf, firstKey, keyAt, lengthsPlace, placeIn, restIn } from './buckets.js';
import { type Encoded, seedOf, spaceKey } from './encoded.js';
import { textHash } from './text-hash.js';

/** A block as it is written: entries of one key, in their order. */
export interface Block {
  readonly key: string;
  readonly block: number;
  readonly entries: Buffer;
}

/** A document and its number, as far as its blocks are made of it. */
export interface Numbered extends Pick<Encoded, 'memoryId' | 'namespaceId' | 'length' | 'counts'> {
  readonly seq: number;
  readonly codes: readonly { readonly key: string; readonly code: Buffer }[];
}

export const numbered = ({ memoryId, namespaceId, length, counts, vectors }: Encoded, seq: number): Numbered => ({
  memoryId,
  namespaceId,
  seq,
  length,
  counts,
  codes: vectors.map(({ key, code }) => ({ key: spaceKey(namespaceId, key), code })),
});

/** The posting blocks of these documents, whole as far as the documents are, so that each is written once. */
export function postingBlocks(documents: readonly Numbered[]): Block[] {
  const blocks: Block[] = [];
  for (const { namespaceId, block, group } of inBlocks(documents, postingBits)) {
    const seed = seedOf(namespaceId);
    // Three numbers for each entry: see `entriesOf`.
    const lists = new Map<number, number[]>();
    const add = (place: number, offset: number, first: number, second: number) => {
      const list = lists.get(place);
      if (list) list.push(offset, first, second);
      else lists.set(place, [offset, first, second]);
    };
    for (const { seq, length, counts } of group) {
      const offset = seq % 2 ** postingBits;
      const postings = [...counts].map(([lexeme, count]) => ({ term: textHash(lexeme, seed), count }));
      // By the bytes behind the offset, as the entries of a block are sorted.
      const sorted = postings
        .map(({ term, count }) => ({ place: placeIn(term), rest: restIn(term), count }))
        .sort((a, b) => a.rest - b.rest || a.count - b.count);
      for (const { place, rest, count } of sorted) add(place, offset, rest, Math.min(count, 65_535));
      add(lengthsPlace, offset, Math.floor(length / 65_536), length % 65_536);
    }
    const first = firstKey(seed);
    for (const [place, list] of lists) blocks.push({ key: keyAt(first, place), block, entries: entriesOf(list) });
  }
  return blocks;
}

/** The blocks of the codes of their vectors, by the width of an entry. */
export function codeBlocks(documents: readonly Numbered[]): Map<number, Block[]> {
  const byWidth = new Map<number, Block[]>();
  for (const { block, group } of inBlocks(documents, codeBits)) {
    const lists = new Map<string, Buffer[]>();
    for (const { seq, codes } of group) {
      const entries = codes.map(({ key, code }) => ({ key, entry: codeEntry(seq % 2 ** codeBits, code) }));
      for (const { key, entry } of entries.sort((a, b) => a.entry.compare(b.entry))) {
        const list = lists.get(key);
        if (list) list.push(entry);
        else lists.set(key, [entry]);
      }
    }
    for (const [key, list] of lists) {
      const width = list[0]?.length ?? 0;
      const same = byWidth.get(width) ?? [];
      byWidth.set(width, same);
      same.push({ key, block, entries: Buffer.concat(list) });
    }
  }
  return byWidth;
}

function codeEntry(offset: number, code: Buffer): Buffer {
  const entry = Buffer.allocUnsafe(offsetBytes + code.length);
  entry.writeUInt8(offset, 0);
  code.copy(entry, offsetBytes);
  return entry;
}

/** The documents of each block of each namespace, in their order. */
function inBlocks(documents: readonly Numbered[], bits: number) {
  const groups = new Map<
    string,
    { readonly namespaceId: string; readonly block: number; readonly group: Numbered[] }
  >();
  for (const document of [...documents].sort((a, b) => a.seq - b.seq)) {
    const { namespaceId, seq } = document;
    const block = Math.floor(seq / 2 ** bits);
    const key = `${namespaceId} ${block}`;
    const found = groups.get(key) ?? { namespaceId, block, group: [] };
    groups.set(key, found);
    found.group.push(document);
  }
  return [...groups.values()];
}

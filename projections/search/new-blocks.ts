import { codeBits, codeEntry, postingBits } from './blocks.js';
import { entriesOf, firstKey, keyAt } from './buckets.js';
import { type Encoded, seedOf, spaceKey } from './encoded.js';
import { eachPosting, postingsOf } from './placed-postings.js';

/** A block as it is written: entries of one key, in their order. */
export interface Block {
  readonly key: string;
  readonly block: number;
  readonly entries: Buffer;
}

/** A document and its number, as far as its lists are made of it. */
export interface Numbered {
  readonly namespaceId: string;
  readonly seq: number;
  /** Its postings and its length, in the order of their buckets: see `postingsOf`. */
  readonly postings: Buffer;
  readonly codes: readonly Code[];
}

/** The code of one of its vectors, and the key of their space. */
export interface Code {
  readonly key: string;
  readonly code: Buffer;
}

export const numbered = ({ namespaceId, length, counts, vectors }: Encoded, seq: number): Numbered => ({
  namespaceId,
  seq,
  postings: postingsOf(counts, length, seedOf(namespaceId)),
  codes: vectors.map(({ key, code }) => ({ key: spaceKey(namespaceId, key), code })),
});

/** The posting blocks of these documents, whole as far as the documents are, so that each is written once. */
export function postingBlocks(documents: readonly Numbered[]): Block[] {
  const blocks: Block[] = [];
  for (const { namespaceId, block, group } of inBlocks(documents, postingBits)) {
    // Three numbers for each entry: see `entriesOf`.
    const lists = new Map<number, number[]>();
    for (const { seq, postings } of group) {
      const offset = seq % 2 ** postingBits;
      eachPosting(postings, (place, first, second) => {
        const list = lists.get(place);
        if (list) list.push(offset, first, second);
        else lists.set(place, [offset, first, second]);
      });
    }
    const first = firstKey(seedOf(namespaceId));
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

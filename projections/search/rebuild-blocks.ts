import { codeBits, offsetBytes, postingBits } from './blocks.js';
import { bucketAt, entriesOf, lengthsPlace } from './buckets.js';
import type { Encoded } from './rebuild-document.js';
import type { Lexeme, Vocabulary } from './rebuild-words.js';

/** A block as it is written: entries of one key, in their order. */
export interface Block {
  readonly key: string;
  readonly block: number;
  readonly entries: Buffer;
}

/** The parts of a document from which its blocks are made. */
export interface Listed {
  readonly memoryId: string;
  readonly namespaceId: string;
  readonly seq: number;
  readonly length: number;
  readonly vocabulary: Vocabulary;
  /** How often it has each of its lexemes. */
  readonly counts: ReadonlyMap<Lexeme, number>;
  readonly codes: readonly { readonly key: string; readonly code: Buffer }[];
}

export const listed = ({ document, length, vocabulary, counts, vectors }: Encoded, seq: number): Listed => ({
  memoryId: document.memoryId,
  namespaceId: document.namespaceId,
  seq,
  length,
  vocabulary,
  counts,
  codes: vectors.map(({ space, code }) => ({ key: space, code })),
});

/** The posting blocks of these documents, whole as far as the documents are, so that each is written once. */
export function postingBlocks(documents: readonly Listed[]): Block[] {
  const blocks: Block[] = [];
  for (const [block, group] of inBlocks(documents, postingBits)) {
    // Three numbers for each entry: see `entriesOf`.
    const lists = new Map<number, number[]>();
    const add = (place: number, offset: number, first: number, second: number) => {
      const list = lists.get(place);
      if (list) list.push(offset, first, second);
      else lists.set(place, [offset, first, second]);
    };
    for (const { seq, length, counts } of group) {
      const offset = seq % 2 ** postingBits;
      // By the bytes behind the offset, as the entries of a block are sorted.
      const sorted = [...counts].sort(([a, x], [b, y]) => a.rest - b.rest || x - y);
      for (const [{ place, rest }, count] of sorted) add(place, offset, rest, Math.min(count, 65_535));
      add(lengthsPlace, offset, Math.floor(length / 65_536), length % 65_536);
    }
    const seed = group[0]?.vocabulary.seed ?? 0n;
    for (const [place, list] of lists) blocks.push({ key: bucketAt(seed, place), block, entries: entriesOf(list) });
  }
  return blocks;
}

/** The blocks of the codes of their vectors, by the width of an entry. */
export function codeBlocks(documents: readonly Listed[]): Map<number, Block[]> {
  const byWidth = new Map<number, Block[]>();
  for (const [block, group] of inBlocks(documents, codeBits)) {
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
function inBlocks(documents: readonly Listed[], bits: number): (readonly [number, readonly Listed[]])[] {
  const groups = new Map<string, [number, Listed[]]>();
  for (const document of [...documents].sort((a, b) => a.seq - b.seq)) {
    const block = Math.floor(document.seq / 2 ** bits);
    const key = `${document.namespaceId} ${block}`;
    const group = groups.get(key);
    if (group) group[1].push(document);
    else groups.set(key, [block, [document]]);
  }
  return [...groups.values()];
}

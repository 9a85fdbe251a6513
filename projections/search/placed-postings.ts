import { lengthsPlace, placeIn, restIn } from './buckets.js';
import { type Hash, textHash } from './text-hash.js';

/**
 * Bytes of a posting of one document that is not in a block yet: the place of its bucket (16 bits), then what a block has of it but for
 * the offset, which all postings of the document share. The length of the document is the last one, in the bucket of the lengths.
 */
export const placedWidth = 8;
const placeBytes = 2;

/** The postings of a document, in the order of their buckets, and in each bucket as the entries of a block are sorted. */
export function postingsOf(counts: ReadonlyMap<string, number>, length: number, seed: Hash): Buffer {
  const sorted = [...counts]
    .map(([lexeme, count]) => {
      const term = textHash(lexeme, seed);
      return { place: placeIn(term), rest: restIn(term), count: Math.min(count, 65_535) };
    })
    .sort((a, b) => a.place - b.place || a.rest - b.rest || a.count - b.count);
  const bytes = Buffer.allocUnsafe((sorted.length + 1) * placedWidth);
  let at = 0;
  for (const { place, rest, count } of sorted) at = write(bytes, at, place, rest, count);
  write(bytes, at, lengthsPlace, Math.floor(length / 65_536), length % 65_536);
  return bytes;
}

function write(bytes: Buffer, at: number, place: number, first: number, second: number): number {
  bytes.writeUInt16BE(place, at);
  bytes.writeUInt32BE(first, at + placeBytes);
  return bytes.writeUInt16BE(second, at + placeBytes + 4);
}

/** Calls `take` with each posting: the place of its bucket, and what a block has of it but for the offset, as two numbers. */
export function eachPosting(postings: Buffer, take: (place: number, first: number, second: number) => void): void {
  for (let at = 0; at < postings.length; at += placedWidth) {
    take(postings.readUInt16BE(at), postings.readUInt32BE(at + placeBytes), postings.readUInt16BE(at + placeBytes + 4));
  }
}

/** Where the postings of a bucket begin and end. */
export function rangeOf(postings: Buffer, place: number): { readonly from: number; readonly to: number } {
  let from = 0;
  while (from < postings.length && postings.readUInt16BE(from) < place) from += placedWidth;
  let to = from;
  while (to < postings.length && postings.readUInt16BE(to) === place) to += placedWidth;
  return { from, to };
}

/** Writes the postings from `from` to `to` as entries of a block. @returns where the next entry begins */
export function writeEntries(
  into: Buffer,
  at: number,
  offset: number,
  { postings, from, to }: { readonly postings: Buffer; readonly from: number; readonly to: number },
): number {
  let next = at;
  for (let posting = from; posting < to; posting += placedWidth) {
    next = into.writeUInt8(offset, next);
    next += postings.copy(into, next, posting + placeBytes, posting + placedWidth);
  }
  return next;
}

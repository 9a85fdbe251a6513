import { offsetBytes, postingBits, termSeed } from './blocks.js';
import type { Hash } from './text-hash.js';

/**
 * The words of a namespace are divided into this number of buckets (a power of two) by the last bits of their hashes. One row
 * holds the postings of all words of a bucket in one block.
 *
 * One row for each word and block was measured before. Half of the words of a block are in one or two of its memories, so a
 * posting took up to 100 bytes with its row and its key. The lists of frequent words grew over 2 kB, out of their row, where
 * each write leaves a copy until the next vacuum. Among 20,000 memories of 500 bytes in PostgreSQL, the postings of one took
 * 2.2 kB with English prose and 5.2 kB with made-up words. In buckets they take 0.9 and 1.5 kB (`npm run bench -- size`).
 *
 * Blocks of 2,048 documents with 1,024 buckets took 10 kB, when each write still added to most rows of the newest block, so that more of
 * them were left as dead copies.
 */
const wordBits = 9;

/** One more bucket of a namespace holds the lengths of its documents. */
const keyBits = wordBits + 1;

/**
 * Bytes of a posting: offset (8 bits), rest of the hash (32), frequency of the word (16). With the bucket, a word of a namespace
 * has 41 bits. In a namespace of a million words, one in two million words that are not in it seems to be in it.
 */
export const postingWidth = offsetBytes + 6;
const restBits = 32;

const [wordMask, restMask, keyMask] = [2 ** wordBits - 1, 2 ** restBits - 1, 2 ** keyBits - 1];

/** SQL of the bucket of a word, which is also the key of its rows. The first bits stand for the namespace. */
export const bucketOf = (term: string, namespaceId: string): string =>
  `(${firstBucket(namespaceId)} | (${term} & ${wordMask}))`;

/** SQL of the first and the last bucket of a namespace. The last one holds the lengths. */
export const firstBucket = (namespaceId: string): string => firstOf(termSeed(namespaceId));
export const lastBucket = (namespaceId: string): string => `(${termSeed(namespaceId)} | ${keyMask}::bigint)`;

/** SQL of the first bucket of the namespace to which a bucket belongs. */
export const firstOf = (bucket: string): string => `(${bucket} & ~${keyMask}::bigint)`;

/** The bucket of the lengths of the documents that this bucket has. */
export const lengthsBucket = (bucket: string): string => String(BigInt(bucket) | BigInt(keyMask));

/** SQL of the bytes of a posting, in the order in which `postingsOf` reads them. */
export const postingOf = (term: string, seq: string, frequency: string): string =>
  entry(seq, `(((${term} >> ${wordBits}) & ${restMask}) << 16) | least(${frequency}, 65535)`);

/** SQL of the bytes of the length of a document: its offset (8 bits), and the length (48). */
export const lengthOf = (seq: string, length: string): string => entry(seq, `${length}::bigint`);

const entry = (seq: string, rest: string): string =>
  `substr(int8send(((${seq} & ${2 ** postingBits - 1}) << 48) | ${rest}), 2)`;

/** The number of buckets of a namespace, and the place of a word's bucket among them. */
export const buckets = 2 ** wordBits;
export const placeOf = (term: string): number => Number(BigInt.asUintN(wordBits, BigInt(term)));

/** The same of a key. */
export const placeOfBucket = (bucket: string): number => Number(BigInt.asUintN(keyBits, BigInt(bucket)));

/** The place of the bucket of the lengths. */
export const lengthsPlace = keyMask;

/** The same of a hash that was not read from the database. */
export const placeIn = ({ low }: Hash): number => low & wordMask;
export const restIn = ({ high, low }: Hash): number => ((high << (restBits - wordBits)) | (low >>> wordBits)) >>> 0;

/** The first key of the namespace with this seed of its terms, and the key of the bucket at a place. */
export const firstKey = ({ high, low }: Hash): bigint =>
  BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt((low & ~keyMask) >>> 0));
export const keyAt = (first: bigint, place: number): string => String(first | BigInt(place));

/** The bytes of entries in a block: of each the offset (8 bits), then 32 bits and 16 bits, as three numbers. */
export function entriesOf(numbers: readonly number[]): Buffer {
  const entries = Buffer.allocUnsafe((numbers.length / 3) * postingWidth);
  for (let i = 0, at = 0; i < numbers.length; i += 3) {
    at = entries.writeUInt8(numbers[i] ?? 0, at);
    at = entries.writeUInt32BE(numbers[i + 1] ?? 0, at);
    at = entries.writeUInt16BE(numbers[i + 2] ?? 0, at);
  }
  return entries;
}

/** Documents of one block or several, and how often each has a word. */
interface Postings {
  readonly offsets: Uint8Array;
  readonly frequencies: Uint16Array;
}

/** The part of the hash of a word that its postings have. */
export const restOf = (term: string): number => Number(BigInt.asUintN(restBits, BigInt(term) >> BigInt(wordBits)));

/** The number of postings of a term in a block of its bucket. @param rest of the term: see `restOf` */
export function countPostings(entries: Buffer, rest: number): number {
  let count = 0;
  for (let at = 0; at + postingWidth <= entries.length; at += postingWidth) {
    if (entries.readUInt32BE(at + offsetBytes) === rest) count += 1;
  }
  return count;
}

/**
 * Reads the postings of a term in a block of its bucket, in the order of documents.
 * @param from where the first of them belongs
 * @returns where the next one belongs
 */
export function postingsInto({ offsets, frequencies }: Postings, from: number, entries: Buffer, rest: number): number {
  let next = from;
  for (let at = 0; at + postingWidth <= entries.length; at += postingWidth) {
    if (entries.readUInt32BE(at + offsetBytes) !== rest) continue;
    offsets[next] = entries.readUInt8(at);
    frequencies[next] = entries.readUInt16BE(at + offsetBytes + 4);
    next += 1;
  }
  return next;
}

/** The lengths of the documents of a block, by their offsets. */
export function lengthsOf(entries: Buffer): Float64Array {
  const lengths = new Float64Array(2 ** postingBits);
  for (let at = 0; at + postingWidth <= entries.length; at += postingWidth) {
    lengths[entries.readUInt8(at)] = entries.readUIntBE(at + offsetBytes, 6);
  }
  return lengths;
}

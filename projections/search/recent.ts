import { postingBits } from './blocks.js';
import type { Code, Numbered } from './new-blocks.js';

/**
 * A write adds to twenty rows of postings and to one of codes, and each keeps a dead copy of what it was. Therefore the newest documents
 * of a namespace stay out of the blocks: each has one row in `search_recent`, with all of its postings and codes, until their block is
 * complete. Then they are sealed: written into blocks together, so that each block is written once. `sealed` in `search_namespaces` is the
 * number up to which documents are in blocks; those behind it, and no others, have a row here. What searches find is the same before and
 * after.
 *
 * Only documents that are new come here. Every other change of an index seals it first (see sealing.ts), so that all other code has blocks
 * only.
 */

/**
 * Whether blocks are complete is looked at each time when a namespace has this number of documents more. In a workspace with many
 * namespaces, a block has few documents of one.
 */
export const documentsPerSeal = 64;

/** A row of `search_recent`. */
export type RecentDocument = Pick<Numbered, 'seq' | 'postings' | 'codes'>;

/** The newest documents of a namespace, of the index with this `base` (see states.ts). */
export interface Recent {
  readonly base: string;
  /** The largest number of a document that was ever added. */
  readonly newest: number;
  /** The number up to which documents were in blocks: what is in blocks behind it was sealed later. */
  readonly sealed: number;
  /** All documents behind this number are in `documents`. It is smaller than `sealed` where documents were sealed that are still known. */
  readonly from: number;
  /** In the order of their numbers. */
  readonly documents: readonly RecentDocument[];
}

/** The documents in memory at most. Some were sealed: with them, lists in memory that are a little behind need not be read again. */
const mostDocuments = 2 ** postingBits + 4 * documentsPerSeal;

/**
 * SQL of whether the documents behind `k.newest` are all that a reader lacks which knows those behind `k.since`, of the index with the base
 * `k.base`. Otherwise it is sent all that there are. A replica may show an index as it was before `k.since`.
 * @param now SQL of the base of the index, and of the largest number of a document that was ever added
 */
export const isContinuedBy = (now: { readonly base: string; readonly newest: string }): string =>
  `k.base = ${now.base} and k.since <= least(n.sealed, ${now.newest})`;

/** @param read the documents behind the newest that `held` knows, where `isContinuedBy` says so; otherwise all */
export function continuedRecent(
  held: Recent | undefined,
  { base, newest, sealed }: Pick<Recent, 'base' | 'newest' | 'sealed'>,
  read: readonly RecentDocument[],
): Recent {
  const inBlocks = Math.min(sealed, newest);
  // Of another index, of a later time, or of a time after which documents were sealed before this process has seen them.
  if (held?.base !== base || held.from > inBlocks || held.newest < inBlocks) {
    return { base, newest, sealed: inBlocks, from: inBlocks, documents: read };
  }
  if (held.newest >= newest && held.sealed === inBlocks) return held;
  const all = [...held.documents, ...read];
  const documents = all.slice(-mostDocuments);
  const last = all[all.length - documents.length - 1];
  return { base, newest: Math.max(held.newest, newest), sealed: inBlocks, from: last?.seq ?? held.from, documents };
}

/** The documents behind a number. */
export const behind = ({ documents }: Recent, seq: number): readonly RecentDocument[] => {
  let first = documents.length;
  while (first > 0 && (documents[first - 1]?.seq ?? 0) > seq) first -= 1;
  return documents.slice(first);
};

export const bytesOfRecent = ({ documents }: Recent): number =>
  documents.reduce((sum, { postings, codes }) => sum + 300 + postings.length + sizeOf(codes), 200);

const keyBytes = 8;
const lengthBytes = 2;
const sizeOf = (codes: readonly Code[]): number =>
  codes.reduce((sum, { code }) => sum + keyBytes + lengthBytes + code.length, 0);

/** The codes as the table has them: of each the key of its space, the number of its bytes, and these. */
export function codesRow(codes: readonly Code[]): Buffer {
  const bytes = Buffer.allocUnsafe(sizeOf(codes));
  let at = 0;
  for (const { key, code } of codes) {
    at = bytes.writeBigInt64BE(BigInt(key), at);
    at = bytes.writeUInt16BE(code.length, at);
    at += code.copy(bytes, at);
  }
  return bytes;
}

export function codesIn(bytes: Buffer): Code[] {
  const codes: Code[] = [];
  for (let at = 0; at < bytes.length; ) {
    const key = String(bytes.readBigInt64BE(at));
    const from = at + keyBytes + lengthBytes;
    at = from + bytes.readUInt16BE(at + keyBytes);
    codes.push({ key, code: bytes.subarray(from, at) });
  }
  return codes;
}

/** SQL of rows of the table as one value, which `documentsIn` reads. */
export const recentBytes = `string_agg(int8send(seq) || int4send(octet_length(postings)) || postings
         || int4send(octet_length(codes)) || codes, ''::bytea order by seq)`;

export function documentsIn(bytes: Buffer): RecentDocument[] {
  const documents: RecentDocument[] = [];
  let at = 0;
  const part = () => {
    const from = at + 4;
    at = from + bytes.readUInt32BE(at);
    return bytes.subarray(from, at);
  };
  while (at < bytes.length) {
    const seq = Number(bytes.readBigInt64BE(at));
    at += 8;
    documents.push({ seq, postings: part(), codes: codesIn(part()) });
  }
  return documents;
}

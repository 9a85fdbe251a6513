import type { Row, Transaction } from '../../src/database/database.js';

/**
 * A block is the sorted concatenation of fixed-width entries that belong to one bucket of words (or vector space) and to one
 * range of `seq`. An entry begins with the offset of its document in that range.
 *
 * Because its entries are sorted, a block depends only on the documents that it covers. A rebuild gives the same bytes as
 * live writing, for every order and every batching of the documents, and a removed document leaves no trace.
 *
 * One row for each posting was measured and rejected: PGlite spends 2.5 µs on a posting in a join, an aggregation and a sort,
 * so that an exhaustive ranking of 100,000 memories took 121 ms (p50). Reading blocks and adding up their scores in Node takes
 * a fraction of that, so the ranking needs no approximation.
 */
export const postingBits = 8;

/** The bytes of an offset: no block may have more than 2^8 documents. */
export const offsetBytes = 1;

/**
 * A job or a deletion rewrites a whole block: up to 16 kB at 256 dimensions, which stay as a dead copy until the next vacuum. A search after
 * a deletion lists all blocks of its namespace, which takes twice as long with half as many documents in each.
 */
export const codeBits = 7;

/**
 * Codes leave out the components after these. That is enough to choose candidates, and the ranking compares the whole
 * vectors.
 */
export const codeDimensions = 2048;

/** Bytes of a code: its offset, then four bits for each component. */
export const codeWidth = (dimensions: number): number =>
  offsetBytes + Math.ceil(Math.min(dimensions, codeDimensions) / 2);

/** The entries of a block up to those of the document at this offset. */
export function entriesUntil(entries: Buffer, offset: number, width: number): Buffer {
  let end = entries.length;
  while (end > 0 && entries.readUInt8(end - width) > offset) end -= width;
  return entries.subarray(0, end);
}

/** The entry of a code in a block. */
export function codeEntry(offset: number, code: Buffer): Buffer {
  const entry = Buffer.allocUnsafe(offsetBytes + code.length);
  entry.writeUInt8(offset, 0);
  code.copy(entry, offsetBytes);
  return entry;
}

/** SQL of the 64-bit hash that stands for a word in one namespace. See postings.ts for the part of it that is stored. */
export const termOf = (word: string, namespaceId: string): string => seededTerm(word, termSeed(namespaceId));

/** The same hash in two steps, for statements that hash many words of one namespace. */
export const termSeed = (namespaceId: string): string => `hashtextextended(${namespaceId}::text, 0)`;
export const seededTerm = (word: string, seed: string): string => `hashtextextended(${word}, ${seed})`;

/** SQL of the 64-bit hash that stands for the vectors of one model in one namespace. `model` must include the dimensions. */
export const spaceOf = (model: string, namespaceId: string): string =>
  `hashtextextended(${model}, hashtextextended(${namespaceId}::text, 1))`;

/** Models with the same name but other dimensions have different keys, because one block cannot hold codes of both. */
export const modelKey = (model: string, dimensions: number): string => `${dimensions} ${model}`;

/**
 * SQL that merges the sorted entries `added` into `stored`. Entries of newer documents are only appended. With `distinct`,
 * an entry that `stored` already has is not added a second time.
 */
export function mergedEntries(stored: string, added: string, width: number, which: 'all' | 'distinct' = 'all'): string {
  return `case when substr(${stored}, octet_length(${stored}) - ${width} + 1, ${width}) < substr(${added}, 1, ${width})
    then ${stored} || ${added}
    else (select string_agg(${which} substr(${stored} || ${added}, i, ${width}), ''::bytea
                   order by substr(${stored} || ${added}, i, ${width}))
            from generate_series(1, octet_length(${stored} || ${added}), ${width}) i) end`;
}

/** The entries that must be removed from one block: those of the documents at these offsets. */
export interface Removed extends Row {
  key: string;
  block: number;
  width: number;
  offsets: number[];
}

/**
 * Removes entries from blocks, and deletes blocks that become empty. The caller must hold the locks of the namespaces
 * concerned. Otherwise, a write of another transaction between the read and the write here would be lost.
 */
export async function removeEntries(
  tx: Transaction,
  table: { readonly name: string; readonly key: string },
  removals: readonly Removed[],
): Promise<void> {
  if (removals.length === 0) return;
  const rows = await tx.query<{ key: string; block: number; entries: string }>(
    `select ${table.key}::text as key, block, encode(entries, 'base64') as entries
       from ${table.name} join unnest((select $1::bigint[]), (select $2::bigint[])) r(${table.key}, block) using (${table.key}, block)`,
    [removals.map((removal) => removal.key), removals.map((removal) => removal.block)],
  );
  const wanted = new Map(removals.map((removal) => [`${removal.key} ${removal.block}`, removal]));
  const left = rows.flatMap(({ key, block, entries }) => {
    const removal = wanted.get(`${key} ${block}`);
    const bytes = Buffer.from(entries, 'base64');
    const rest = removal ? without(bytes, removal) : bytes;
    return rest.length === bytes.length ? [] : [{ key, block, entries: rest.toString('hex') }];
  });
  await tx.query(
    `update ${table.name} t set entries = decode(r.entries, 'hex')
       from unnest((select $1::bigint[]), (select $2::bigint[]), (select $3::text[])) r(key, block, entries)
      where t.${table.key} = r.key and t.block = r.block and r.entries <> ''`,
    [left.map((row) => row.key), left.map((row) => row.block), left.map((row) => row.entries)],
  );
  const empty = left.filter((row) => row.entries === '');
  await tx.query(
    `delete from ${table.name} t using unnest((select $1::bigint[]), (select $2::bigint[])) r(key, block)
      where t.${table.key} = r.key and t.block = r.block`,
    [empty.map((row) => row.key), empty.map((row) => row.block)],
  );
}

function without(bytes: Buffer, { width, offsets }: Removed): Buffer {
  const removed = new Set(offsets);
  const left = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += width) {
    if (removed.has(bytes.readUInt8(at))) continue;
    bytes.copy(left, length, at, at + width);
    length += width;
  }
  return left.subarray(0, length);
}

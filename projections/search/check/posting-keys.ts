import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../../../src/adapters/database/database.js';
import { rowFault } from '../../row-fault.js';
import { postingBits, termOf } from '../blocks.js';

/** Pages of the table that are read at once: 16 MiB. */
const pagesAtOnce = 2000;

/**
 * Terms are divided into 2^16 parts by their first 16 bits. A key has 10 bytes: two for the part, and eight for a hash of the
 * row's primary key.
 */
const partBits = 16;
const keyWidth = 10;

/** SQL of the key of a row. The random `seed` makes the keys different in every check. */
export const keyOf = (term: string, block: string, seed: string): string =>
  `int2send((${term} >> ${64 - partBits})::smallint) || int8send(hashint8extended(${term}, hashint8extended(${block}, ${seed})))`;

/**
 * Finds orphan rows in the table of postings: rows that follow from no document. The table is not ordered by document, so it
 * cannot be read next to the documents. Instead, the keys of all rows that follow from documents are combined by XOR, one sum
 * for each part, and so are the keys of all stored rows. If both sums of a part are equal, it has no orphan rows. Otherwise
 * each row of the part is checked.
 */
export interface PostingKeys {
  /** For `keyOf`. */
  readonly seed: string;
  /** Adds the keys of rows that belong in the table, in base64. Each row must be added exactly once. */
  add(keys: string): void;
  /** @returns a sentence about a stored row that was not added, or null */
  orphanFault(database: Database): Promise<string | null>;
}

export function openPostingKeys(): PostingKeys {
  const seed = String(randomBytes(6).readUIntBE(0, 6));
  const [high, low] = [new Int32Array(2 ** partBits), new Int32Array(2 ** partBits)];
  function add(keys: string): void {
    const bytes = Buffer.from(keys, 'base64');
    for (let at = 0; at < bytes.length; at += keyWidth) {
      const part = bytes.readUInt16BE(at);
      high[part] = (high[part] ?? 0) ^ bytes.readInt32BE(at + 2);
      low[part] = (low[part] ?? 0) ^ bytes.readInt32BE(at + 6);
    }
  }
  return {
    seed,
    add,
    async orphanFault(database) {
      const pages = await database.read(countPages);
      for (let from = 0; from < pages; from += pagesAtOnce) add(await database.read((tx) => keysOn(tx, from, seed)));
      for (let part = 0; part < 2 ** partBits; part += 1) {
        if (high[part] === 0 && low[part] === 0) continue;
        const fault = await database.read((tx) => orphanIn(tx, part));
        if (fault !== null) return fault;
      }
      return null;
    },
  };
}

async function countPages(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ pages: number }>(
    `select pg_relation_size('search_postings') / current_setting('block_size')::bigint as pages`,
  );
  return row?.pages ?? 0;
}

/** A row that moves to another page during the check is read twice or not at all. Then its part is checked row by row. */
async function keysOn(tx: Transaction, from: number, seed: string): Promise<string> {
  const [row] = await tx.query<{ keys: string | null }>(
    `select encode(string_agg(${keyOf('term', 'block', '$3::bigint')}, ''::bytea), 'base64') as keys
       from search_postings where ctid >= $1::text::tid and ctid < $2::text::tid`,
    [`(${from},0)`, `(${from + pagesAtOnce},0)`, seed],
  );
  return row?.keys ?? '';
}

/**
 * A row belongs in the table if the first document in it holds its word, because then the row was already compared with all of
 * its documents.
 */
async function orphanIn(tx: Transaction, part: number): Promise<string | null> {
  // The part is the first bits of the term in two's complement, and the term is a signed number.
  const first = BigInt.asIntN(64, BigInt(part) << BigInt(64 - partBits));
  const last = first + 2n ** BigInt(64 - partBits) - 1n;
  const [row] = await tx.query<{ term: string; block: number }>(
    `select p.term::text, p.block
       from search_postings p
      cross join lateral (select case when octet_length(p.entries) < 2 then -1
        else (p.block << ${postingBits}) + (get_byte(p.entries, 0) << 8) + get_byte(p.entries, 1) end as seq) one
      where p.term between $1::bigint and $2::bigint and not exists (
        select 1 from search_documents d join search_texts t using (memory_id) cross join unnest(t.words) u
         where d.namespace_id in (select namespace_id from search_namespaces) and d.seq = one.seq
           and ${termOf('u.lexeme', 'd.namespace_id')} = p.term)
      order by p.term, p.block limit 1`,
    [String(first), String(last)],
  );
  return row ? rowFault('search_postings', row, 'orphan') : null;
}

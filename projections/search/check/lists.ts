import type { Database, Row, Transaction } from '../../../src/adapters/database/database.js';
import { rowFault } from '../../row-fault.js';
import { codeBits, postingBits, postingWidth, seededTerm, termSeed } from '../blocks.js';
import type { BlockRange, Codes } from './parts.js';
import { keyOf, type PostingKeys } from './posting-keys.js';
import { atOneMoment } from './snapshot.js';

/** A document of the range. It is unfinished while it is being added or removed. */
interface Document {
  readonly memoryId: string;
  readonly seq: number;
  readonly finished: boolean;
}

/**
 * Compares the lists by which searches find the documents of a range. The postings are compared with the stored words, and the
 * codes of the vectors with the codes that were computed from the texts.
 * @param codes null if vectors are not compared
 * @returns the first fault as a sentence, or null
 */
export function listsFault(
  database: Database,
  range: BlockRange,
  codes: Codes | null,
  keys: PostingKeys,
): Promise<string | null> {
  return atOneMoment(database, async (tx) => {
    const [documents, postings, stored] = await Promise.all([
      readDocuments(tx, range),
      readPostings(tx, range, keys.seed),
      codes ? readCodes(tx, range, codes.spaces) : [],
    ]);
    if (postings.length !== null) return rowFault('search_documents', { memory_id: postings.length }, 'different');
    keys.add(postings.keys ?? '');
    return postingFault(range, documents, postings.different) ?? (codes && codeFault(documents, codes, stored));
  });
}

async function readDocuments(tx: Transaction, { namespaceId, from, to }: BlockRange): Promise<Document[]> {
  const [row] = await tx.query<{ documents: string | null }>(
    `select json_agg(one)::text as documents from (
       select memory_id as "memoryId", seq, model <> '' as finished from search_documents
        where namespace_id = $1 and seq >= $2 and seq < $3) one`,
    [namespaceId, from, to],
  );
  return JSON.parse(row?.documents ?? '[]');
}

interface Postings extends Row {
  /** A memory whose document has another length than the number of its words. */
  length: string | null;
  keys: string | null;
  different: { readonly term: string; readonly entries: string; readonly stored: string | null }[];
}

/** Computes the postings of the range from the stored words, and compares them with the stored postings in the database. */
async function readPostings(tx: Transaction, range: BlockRange, seed: string): Promise<Postings> {
  const [row] = await tx.query<Row & { length: string | null; keys: string | null; different: string }>(
    `with documents as materialized (
       select memory_id, seq, length from search_documents
        where namespace_id = $1 and seq >= $2 and seq < $3 and model <> ''),
     words as materialized (
       select d.seq, d.length, ${seededTerm('u.lexeme', `(select ${termSeed('$1::uuid')})`)} as term,
              cardinality(u.positions) as frequency
         from documents d join search_texts s using (memory_id) cross join unnest(s.words) u),
     lists as (
       select term, string_agg(int8send(
                ((seq & ${2 ** postingBits - 1}) << 48) | (least(frequency, 65535) << 32) | length), ''::bytea order by seq) as entries
         from (select term, seq, length, sum(frequency) as frequency from words group by term, seq, length) w
        group by term),
     compared as materialized (
       select l.term, case when p.entries is distinct from l.entries then l.entries end as entries, p.entries as stored
         from lists l left join search_postings p on p.term = l.term and p.block = $4)
     select (select d.memory_id::text from documents d
               left join (select seq, sum(frequency) as length from words group by seq) w using (seq)
              where d.length <> coalesce(w.length, 0) order by d.seq limit 1) as length,
            (select encode(string_agg(${keyOf('term', '$4::bigint', '$5::bigint')}, ''::bytea), 'base64')
               from compared where stored is not null) as keys,
            (select coalesce(json_agg(json_build_object('term', term::text, 'entries', encode(entries, 'base64'),
                'stored', encode(stored, 'base64')) order by term), '[]')::text
               from compared where entries is not null) as different`,
    [range.namespaceId, range.from, range.to, range.block, seed],
  );
  if (!row) throw new Error('the database compared nothing');
  return { ...row, different: JSON.parse(row.different) };
}

function postingFault(
  { block }: BlockRange,
  documents: readonly Document[],
  different: Postings['different'],
): string | null {
  const unfinished = new Set(
    documents.filter(({ finished }) => !finished).map(({ seq }) => offsetIn(seq, postingBits)),
  );
  for (const { term, entries, stored } of different) {
    if (stored === null) return rowFault('search_postings', { term, block }, 'missing');
    const left = without(Buffer.from(stored, 'base64'), postingWidth, unfinished);
    if (!left.equals(Buffer.from(entries, 'base64'))) return rowFault('search_postings', { term, block }, 'different');
  }
  return null;
}

interface CodeRow extends Row {
  space: string;
  block: number;
  entries: string;
}

function readCodes(tx: Transaction, { from, to }: BlockRange, spaces: readonly string[]): Promise<CodeRow[]> {
  return tx.query<CodeRow>(
    `select space::text, block, encode(entries, 'base64') as entries from search_codes
      where space = any($1::bigint[]) and block >= $2::bigint >> ${codeBits} and block < $3::bigint >> ${codeBits}`,
    [spaces, from, to],
  );
}

/** The codes of documents that were added after the texts were read, and of unfinished documents, are unknown and ignored. */
function codeFault(documents: readonly Document[], { ofMemories }: Codes, stored: readonly CodeRow[]): string | null {
  const expected = new Map<string, { space: string; block: number; width: number; entries: Buffer[] }>();
  const unknown = new Map<number, Set<number>>();
  for (const { memoryId, seq, finished } of documents) {
    const block = Math.floor(seq / 2 ** codeBits);
    const codes = finished ? ofMemories.get(memoryId) : undefined;
    if (!codes) unknown.set(block, (unknown.get(block) ?? new Set()).add(offsetIn(seq, codeBits)));
    for (const { space, entry } of codes ?? []) {
      const key = `${space} ${block}`;
      const row = expected.get(key) ?? { space, block, width: entry.length, entries: [] };
      row.entries.push(entry);
      expected.set(key, row);
    }
  }
  const rows = new Map(stored.map((row) => [`${row.space} ${row.block}`, row]));
  for (const [key, { space, block, width, entries }] of expected) {
    const row = rows.get(key);
    if (!row) return rowFault('search_codes', { space, block }, 'missing');
    const left = without(Buffer.from(row.entries, 'base64'), width, unknown.get(block) ?? new Set());
    const wanted = Buffer.concat(entries.sort(Buffer.compare));
    if (!left.equals(wanted)) return rowFault('search_codes', { space, block }, 'different');
  }
  return null;
}

const offsetIn = (seq: number, bits: number): number => seq % 2 ** bits;

/** The entries of a block without those of the documents at these offsets. */
function without(entries: Buffer, width: number, offsets: ReadonlySet<number>): Buffer {
  if (offsets.size === 0) return entries;
  const kept: Buffer[] = [];
  for (let at = 0; at < entries.length; at += width) {
    if (at + width > entries.length || !offsets.has(entries.readUInt16BE(at)))
      kept.push(entries.subarray(at, at + width));
  }
  return Buffer.concat(kept);
}

import type { OnFault } from '../../../src/base/faults.js';
import { groupedBy } from '../../../src/base/groups.js';
import type { Database, Row, Transaction } from '../../../src/database/database.js';
import { rowFault } from '../../row-fault.js';
import { codeBits, postingBits, seededTerm, termSeed } from '../blocks.js';
import { bucketOf, firstBucket, lastBucket, lengthOf, postingOf, postingWidth } from '../buckets.js';
import { countedOf } from '../words.js';
import type { BlockRange, Codes } from './parts.js';

/** A document of the range. It is unfinished while it is being added or removed. */
interface Document {
  readonly memoryId: string;
  readonly seq: number;
  readonly finished: boolean;
}

interface ListsCheck {
  readonly range: BlockRange;
  /** Null if vectors are not compared. */
  readonly codes: Codes | null;
  readonly found: OnFault;
}

/**
 * Compares the lists by which searches find the documents of a range. The postings are compared with the stored words, and the
 * codes of the vectors with the codes that were computed from the texts.
 */
export function checkLists(database: Database, { range, codes, found }: ListsCheck): Promise<void> {
  return atOneMoment(database, async (tx) => {
    const [documents, postings, stored] = await Promise.all([
      readDocuments(tx, range),
      readPostings(tx, range),
      codes ? readCodes(tx, range, codes.spaces) : [],
    ]);
    for (const memory_id of postings.lengths) {
      found('search_documents', rowFault('search_documents', { memory_id }, 'different'));
    }
    checkPostings(documents, postings.different, found);
    if (codes) checkCodes(documents, codes, { stored, found });
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

interface Postings {
  /** Memories whose documents have another length than the number of their words. */
  readonly lengths: readonly string[];
  readonly different: readonly Different[];
}

/** A bucket whose stored postings differ from the computed ones, both in base64; null where there is no row. */
interface Different {
  readonly bucket: string;
  readonly block: number;
  readonly entries: string | null;
  readonly stored: string | null;
}

/** Computes the postings of the range from the stored words, and compares them with the stored postings in the database. */
async function readPostings(tx: Transaction, range: BlockRange): Promise<Postings> {
  const [row] = await tx.query<Row & { lengths: string[]; different: string }>(
    `with documents as materialized (
       select memory_id, seq, length from search_documents
        where namespace_id = $1 and seq >= $2 and seq < $3 and model <> ''),
     words as materialized (
       select d.seq, ${seededTerm('u.lexeme', `(select ${termSeed('$1::uuid')})`)} as term,
              cardinality(u.positions) as frequency, ${countedOf('u.weights')} as counted
         from documents d join search_texts s using (memory_id) cross join unnest(s.words) u),
     computed as (
       select bucket, seq >> ${postingBits} as block, string_agg(entry, ''::bytea order by entry) as entries
         from (select ${bucketOf('term', '$1::uuid')} as bucket, seq, ${postingOf('term', 'seq', 'frequency')} as entry
                 from (select term, seq, sum(frequency) as frequency from words group by 1, 2) w
               union all
               select ${lastBucket('$1::uuid')}, seq, ${lengthOf('seq', 'length')} from documents) e
        group by 1, 2),
     stored as materialized (
       select bucket, block, entries from search_postings
        where bucket between ${firstBucket('$1::uuid')} and ${lastBucket('$1::uuid')}
          and block >= $2::bigint >> ${postingBits} and block < $3::bigint >> ${postingBits}),
     different as (
       select bucket, block, c.entries, s.entries as stored from computed c full join stored s using (bucket, block)
        where c.entries is distinct from s.entries)
     select array(select d.memory_id::text from documents d
               left join (select seq, sum(counted) as length from words group by seq) w using (seq)
              where d.length <> coalesce(w.length, 0) order by d.seq) as lengths,
            (select coalesce(json_agg(json_build_object('bucket', bucket::text, 'block', block, 'entries', encode(entries, 'base64'),
                'stored', encode(stored, 'base64')) order by bucket, block), '[]')::text from different) as different`,
    [range.namespaceId, range.from, range.to],
  );
  if (!row) throw new Error('the database compared nothing');
  return { lengths: row.lengths, different: JSON.parse(row.different) };
}

function checkPostings(documents: readonly Document[], different: readonly Different[], found: OnFault): void {
  const unfinished = groupedBy(
    documents.filter(({ finished }) => !finished),
    ({ seq }) => String(Math.floor(seq / 2 ** postingBits)),
  );
  for (const { bucket, block, entries, stored } of different) {
    const report = (how: 'missing' | 'orphan' | 'different') =>
      found('search_postings', rowFault('search_postings', { bucket, block }, how));
    if (stored === null) {
      report('missing');
      continue;
    }
    const bytes = Buffer.from(stored, 'base64');
    const offsets = new Set(unfinished.get(String(block))?.map(({ seq }) => offsetIn(seq, postingBits)));
    const left = without(bytes, postingWidth, offsets);
    if (entries === null && (left.length > 0 || bytes.length === 0)) report('orphan');
    if (entries !== null && !left.equals(Buffer.from(entries, 'base64'))) report('different');
  }
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
function checkCodes(
  documents: readonly Document[],
  { ofMemories }: Codes,
  { stored, found }: { readonly stored: readonly CodeRow[]; readonly found: OnFault },
): void {
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
    const report = (how: 'missing' | 'different') =>
      found('search_codes', rowFault('search_codes', { space, block }, how));
    if (!row) {
      report('missing');
      continue;
    }
    const left = without(Buffer.from(row.entries, 'base64'), width, unknown.get(block) ?? new Set());
    const wanted = Buffer.concat(entries.sort(Buffer.compare));
    if (!left.equals(wanted)) report('different');
  }
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

/** Runs several reads that see the store as of one moment. Writers do not have to wait for them. */
function atOneMoment<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.read(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    return work(tx);
  });
}

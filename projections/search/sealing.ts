import { bigint, bytea, inserting, uuid } from '../../src/database/columns.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { insertBlocks } from './added.js';
import { everything } from './counts.js';
import type { Numbered } from './new-blocks.js';
import { codesIn, codesRow } from './recent.js';

/** Adds documents behind all others of their namespaces. The caller holds the locks of these, and has counted the documents. */
export const insertRecent = inserting<Numbered>('search_recent', [
  uuid('namespace_id', ({ namespaceId }) => namespaceId),
  bigint('seq', ({ seq }) => seq),
  bytea('postings', ({ postings }) => postings),
  bytea('codes', ({ codes }) => codesRow(codes)),
]);

interface RecentRow extends Row {
  namespaceId: string;
  seq: number;
  postings: string;
  codes: string;
}

/** SQL that takes rows `r` out of the table. */
const taking = (which: string): string => `
  delete from search_recent r ${which}
  returning r.namespace_id::text as "namespaceId", r.seq, encode(r.postings, 'base64') as postings, encode(r.codes, 'base64') as codes`;

/** Writes the newest documents of namespaces into blocks, all of them. The caller holds the locks of the namespaces. */
export async function sealNamespaces(tx: Transaction, ids: readonly string[]): Promise<void> {
  await intoBlocks(tx, await tx.query<RecentRow>(taking('where r.namespace_id = any($1::uuid[])'), [ids]));
}

/** The same of documents before a number in each namespace, with which a block begins: so their blocks are complete. */
export async function sealBefore(tx: Transaction, namespaces: ReadonlyMap<string, number>): Promise<void> {
  const [ids, numbers] = [[...namespaces.keys()], [...namespaces.values()]];
  const before = 'unnest($1::uuid[], $2::bigint[]) b(id, seq)';
  const rows = await tx.query<RecentRow>(taking(`using ${before} where r.namespace_id = b.id and r.seq < b.seq`), [
    ids,
    numbers,
  ]);
  await Promise.all([
    insertBlocks(tx, rows.map(numberedOf)),
    tx.write(`update search_namespaces n set sealed = b.seq - 1 from ${before} where n.namespace_id = b.id`, [
      ids,
      numbers,
    ]),
  ]);
}

const numberedOf = ({ namespaceId, seq, postings, codes }: RecentRow): Numbered => ({
  namespaceId,
  seq,
  postings: Buffer.from(postings, 'base64'),
  codes: codesIn(Buffer.from(codes, 'base64')),
});

async function intoBlocks(tx: Transaction, rows: readonly RecentRow[]): Promise<void> {
  if (rows.length === 0) return;
  await Promise.all([
    insertBlocks(tx, rows.map(numberedOf)),
    tx.write('update search_namespaces set sealed = $2 where namespace_id = any($1::uuid[])', [
      [...new Set(rows.map(({ namespaceId }) => namespaceId))],
      everything,
    ]),
  ]);
}

/**
 * Makes other writers of the namespaces of these memories wait until the transaction ends, and seals them. Every transaction
 * that changes or removes documents does this first, so it finds all of them in blocks.
 */
export async function lockNamespaces(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  const ids = 'select namespace_id from search_documents where memory_id = any((select $1::uuid[])::uuid[])';
  // Sent together. The second statement sees what the writer has committed for which the first one has waited.
  const [, rows] = await Promise.all([
    // Rows are locked in the order of ids, so that two writers of the same namespaces cannot deadlock.
    tx.query(`select 1 from search_namespaces where namespace_id in (${ids}) order by namespace_id for update`, [
      memoryIds,
    ]),
    tx.query<RecentRow>(taking(`where r.namespace_id in (${ids})`), [memoryIds]),
  ]);
  await intoBlocks(tx, rows);
}

/** The same of one namespace. */
export async function lockNamespace(tx: Transaction, namespaceId: string): Promise<void> {
  const [, rows] = await Promise.all([
    tx.query('select 1 from search_namespaces where namespace_id = $1 for update', [namespaceId]),
    tx.query<RecentRow>(taking('where r.namespace_id = $1'), [namespaceId]),
  ]);
  await intoBlocks(tx, rows);
}

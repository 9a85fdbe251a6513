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
  await sealAll(tx, await tx.query<RecentRow>(taking('where r.namespace_id = any($1::uuid[])'), [ids]));
}

/** The same of documents before a number in each namespace, with which a block begins: so their blocks are complete. */
export async function sealBefore(tx: Transaction, namespaces: ReadonlyMap<string, number>): Promise<void> {
  const rows = await tx.query<RecentRow>(
    taking('using unnest($1::uuid[], $2::bigint[]) b(id, seq) where r.namespace_id = b.id and r.seq < b.seq'),
    [[...namespaces.keys()], [...namespaces.values()]],
  );
  await intoBlocks(tx, rows, new Map([...namespaces].map(([id, before]) => [id, before - 1])));
}

async function sealAll(tx: Transaction, rows: readonly RecentRow[]): Promise<void> {
  if (rows.length > 0) await intoBlocks(tx, rows, new Map(rows.map(({ namespaceId }) => [namespaceId, everything])));
}

/** @param sealed the number up to which all documents of each namespace are in blocks from then on */
async function intoBlocks(tx: Transaction, rows: readonly RecentRow[], sealed: ReadonlyMap<string, number>) {
  const documents = rows.map(
    ({ namespaceId, seq, postings, codes }): Numbered => ({
      namespaceId,
      seq,
      postings: Buffer.from(postings, 'base64'),
      codes: codesIn(Buffer.from(codes, 'base64')),
    }),
  );
  await Promise.all([
    insertBlocks(tx, documents),
    tx.write(
      `update search_namespaces n set sealed = s.sealed from unnest($1::uuid[], $2::bigint[]) s(id, sealed)
        where n.namespace_id = s.id`,
      [[...sealed.keys()], [...sealed.values()]],
    ),
  ]);
}

/**
 * Makes other writers of the namespaces of these memories wait until the transaction ends, and seals them. Every transaction
 * that changes or removes documents does this first, so it finds all of them in blocks.
 */
export const lockNamespaces = (tx: Transaction, memoryIds: readonly string[]): Promise<void> =>
  lock(tx, 'select namespace_id from search_documents where memory_id = any((select $1::uuid[])::uuid[])', memoryIds);

/** The same of one namespace. */
export const lockNamespace = (tx: Transaction, namespaceId: string): Promise<void> =>
  lock(tx, 'select $1::uuid', namespaceId);

/** @param ids SQL of the namespaces, of which $1 is `value` */
async function lock(tx: Transaction, ids: string, value: string | readonly string[]): Promise<void> {
  // Sent together. The second statement sees what the writer has committed for which the first one has waited.
  const [, rows] = await Promise.all([
    // Rows are locked in the order of ids, so that two writers of the same namespaces cannot deadlock.
    tx.query(`select 1 from search_namespaces where namespace_id in (${ids}) order by namespace_id for update`, [
      value,
    ]),
    tx.query<RecentRow>(taking(`where r.namespace_id in (${ids})`), [value]),
  ]);
  await sealAll(tx, rows);
}

import type { Row, Transaction } from '../../../src/database/database.js';
import { memoryRows } from '../../memory/rows.js';
import type { StoredIndex } from './indices.js';

/** A memory about which there is an entry, and the number of that entry. */
export interface Touched {
  readonly memoryId: string;
  readonly seq: number;
}

/** The documents of a memory that an index may hold: those with chunks below `chunks`. */
export interface Copy extends Row {
  readonly memoryId: string;
  readonly chain: string;
  readonly seq: number;
  readonly chunks: number;
}

/**
 * Notes that these memories must be sent, if they exist. No memory is deleted between this and the end of the transaction, so
 * a later deletion finds the note.
 */
export async function noteDue(
  tx: Transaction,
  index: StoredIndex,
  chain: string,
  touched: readonly Touched[],
): Promise<void> {
  await tx.query(
    `insert into search_copies as c (index_number, memory_id, chain, seq, chunks, is_sent, is_due)
     select $1, m.id, $2, t.seq, 0, false, true
       from unnest($3::uuid[], $4::bigint[]) t(id, seq)
      cross join lateral (select id from ${memoryRows} where id = t.id for key share) m order by m.id
     on conflict (index_number, memory_id) do update
        set seq = excluded.seq, is_sent = false, is_due = true, fault = null where c.seq <= excluded.seq`,
    [index.number, chain, touched.map(({ memoryId }) => memoryId), touched.map(({ seq }) => seq)],
  );
}

/** The copies of these memories that an index may hold. */
export function copiesOf(tx: Transaction, index: StoredIndex, memoryIds: readonly string[]): Promise<Copy[]> {
  return tx.query<Copy>(
    `select memory_id::text as "memoryId", chain::text, seq, chunks from search_copies
      where index_number = $1 and memory_id = any($2::uuid[])`,
    [index.number, memoryIds],
  );
}

/** Those of these memories of which any index may still hold a document. */
export async function copiedAmong(tx: Transaction, memoryIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'select distinct memory_id::text as id from search_copies where memory_id = any($1::uuid[])',
    [memoryIds],
  );
  return rows.map(({ id }) => id);
}

/** SQL: a document `d` of the database's index has something for the copy `c` in an index with this model. */
const isReady = (model: string): string => `d.model <> '' and (not c.is_sent or d.model = ${model})`;

/**
 * Memories that became ready after their entries were followed, in the order of ids after `after`.
 * @param refused whether these are memories that the cluster has refused before
 */
export function dueCopies(
  tx: Transaction,
  { number, model }: StoredIndex,
  after: string | null,
  limit: number,
  refused: boolean,
): Promise<Copy[]> {
  return tx.query<Copy>(
    `select c.memory_id::text as "memoryId", c.chain::text, c.seq, c.chunks from search_copies c
       join search_documents d on d.memory_id = c.memory_id and ${isReady('$2')}
      where c.index_number = $1 and c.is_due and ($3::uuid is null or c.memory_id > $3::uuid)
        and (c.fault is not null) = $4 order by c.memory_id limit $5`,
    [number, model, after, refused, limit],
  );
}

/** Notes how many chunks of each memory are going to be sent. A number never gets smaller. */
export async function noteSending(
  tx: Transaction,
  index: StoredIndex,
  copies: readonly Pick<Copy, 'memoryId' | 'chunks'>[],
): Promise<void> {
  await tx.query(
    `update search_copies c set chunks = t.chunks from unnest($2::uuid[], $3::integer[]) t(id, chunks)
      where c.index_number = $1 and c.memory_id = t.id and c.chunks < t.chunks`,
    [index.number, copies.map(({ memoryId }) => memoryId), copies.map(({ chunks }) => chunks)],
  );
}

/** How the cluster has taken a memory. */
export interface Sent {
  readonly memoryId: string;
  readonly seq: number;
  /** Whether the vectors of the index's model were among it. */
  readonly withVectors: boolean;
  /** The type of the error with which it was refused permanently. */
  readonly fault: string | null;
}

/** Notes what was sent. A memory about which there is a later entry stays due. */
export async function noteSent(tx: Transaction, index: StoredIndex, sent: readonly Sent[]): Promise<void> {
  await tx.query(
    `update search_copies c set is_sent = t.fault is null, is_due = t.fault is not null or not t.vectors, fault = t.fault
       from unnest($2::uuid[], $3::bigint[], $4::boolean[], $5::text[]) t(id, seq, vectors, fault)
      where c.index_number = $1 and c.memory_id = t.id and c.seq = t.seq`,
    [
      index.number,
      sent.map(({ memoryId }) => memoryId),
      sent.map(({ seq }) => seq),
      sent.map(({ withVectors }) => withVectors),
      sent.map(({ fault }) => fault),
    ],
  );
}

/** Notes that the cluster has deleted every document of these memories. */
export async function noteErasedCopies(tx: Transaction, index: StoredIndex, memoryIds: readonly string[]) {
  await tx.query('delete from search_copies where index_number = $1 and memory_id = any($2::uuid[])', [
    index.number,
    memoryIds,
  ]);
}

/** The memories that the cluster has refused: their number, and one of the types of errors. */
export async function refusedCopies(tx: Transaction): Promise<{ count: number; fault: string } | null> {
  const [row] = await tx.query<{ count: number; fault: string }>(
    `select count(*) as count, min(c.fault) as fault from search_copies c
       join search_indices i on i.number = c.index_number and i.state <> 'retired'
      where c.is_due and c.fault is not null having count(*) > 0`,
  );
  return row ?? null;
}

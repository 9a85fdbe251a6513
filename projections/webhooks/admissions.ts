import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';
import { gather } from '../projection.js';

/**
 * Notes memories that are ready with their append and of which webhooks may be notified, in the same transaction. To compare them
 * with the patterns of all webhooks would make other writers of the workspace wait.
 */
export const notedAdmissions = gather({ 'memory.write': admitted }, (tx, ids) =>
  tx.write('insert into admissions select unnest($1::uuid[])', [ids]),
);

function admitted({ entry, indexable }: RecordedOf<'memory.write'>): string[] {
  return indexable?.isListenedFor ? [entry.body.memory_id] : [];
}

/** Takes some memories off the list, the oldest first. Those that another worker is just taking are left out. */
export async function takeAdmissions(tx: Transaction, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `delete from admissions where memory_id in
       (select memory_id from admissions order by memory_id limit $1 for update skip locked) returning memory_id::text as id`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** A memory with its text, and the fields that prove that this is the one that was written. */
export interface AdmittedMemory extends Row {
  id: string;
  receipt_id: string;
  receipt_hash: string;
  entry: Uint8Array;
  salt: Uint8Array;
  content: string;
  metadata: string;
  source: string | null;
  label: string | null;
}

/** Those of these memories that still exist. Until the transaction ends none of them is deleted, so no delivery is left behind. */
export function admittedMemories(tx: Transaction, ids: readonly string[]): Promise<AdmittedMemory[]> {
  return tx.query<AdmittedMemory>(
    `select m.id::text, m.receipt_id, m.receipt_hash, e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label
       from (select * from ${memoryRows} where id = any($1::uuid[]) order by id for key share) m
       join ${vaultRows} v on v.receipt_id = m.receipt_id join ${entryRows} e on e.chain = m.workspace_id and e.seq = m.seq
      order by m.seq`,
    [ids],
  );
}

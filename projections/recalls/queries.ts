import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows } from '../../src/ledger/rows.js';
import { receiptRows } from '../receipts/rows.js';
import { neverRecalled } from './projection.js';

export interface RecallRow extends Row {
  seq: number;
  receipt_hash: string;
  /** The bytes that were hashed. */
  entry: Uint8Array;
}

/** The searches that had this memory among their results and concern no other namespaces than these, newest first: those before `before`. */
export function recallsOf(
  tx: Transaction,
  { workspaceId, memoryId }: { readonly workspaceId: string; readonly memoryId: string },
  namespaceIds: readonly string[],
  before: number | null,
  limit: number,
): Promise<RecallRow[]> {
  return tx.query<RecallRow>(
    `select e.seq, encode(e.hash, 'hex') as receipt_hash, e.bytes as entry
       from (select c.seq from memory_recalls c join ${receiptRows} r on r.workspace_id = $1 and r.seq = c.seq
              where c.memory_id = $2::uuid and r.namespace_ids <@ $3::uuid[] and c.seq < coalesce($4, ${lastSeq})
              order by c.seq desc limit $5) page
       join ${entryRows} e on e.chain = $1 and e.seq = page.seq order by e.seq desc`,
    [workspaceId, memoryId, namespaceIds, before, limit],
  );
}

const lastSeq = '9223372036854775807';

export interface UnusedRow extends Row {
  memory_id: string;
  /** A day; null for a memory that was never recalled. */
  recalled_on: string | null;
}

/** Those that were never recalled come first, oldest first; then those whose last recall was the longest time ago. */
export function unusedMemoriesIn(
  tx: Transaction,
  namespaceId: string,
  since: string | undefined,
  after: UnusedRow | null,
  limit: number,
): Promise<UnusedRow[]> {
  return tx.query<UnusedRow>(
    `select u.memory_id::text, nullif(u.recalled_on, '${neverRecalled}')::text as recalled_on from memory_uses u
      where u.namespace_id = $1::uuid and u.recalled_on < coalesce($2::date, ${firstDay})
        and (u.recalled_on, u.memory_id) > ($3::date, $4::uuid)
      order by u.recalled_on, u.memory_id limit $5`,
    [namespaceId, since ?? null, after?.recalled_on ?? neverRecalled, after?.memory_id ?? smallestId, limit],
  );
}

/** The number of such memories, up to `most`. */
export async function countUnused(
  tx: Transaction,
  namespaceId: string,
  since: string | undefined,
  most: number,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(*) as n from (select from memory_uses
      where namespace_id = $1::uuid and recalled_on < coalesce($2::date, ${firstDay})
      order by recalled_on, memory_id limit $3) found`,
    [namespaceId, since ?? null, most],
  );
  return row?.n ?? 0;
}

const smallestId = '00000000-0000-0000-0000-000000000000';

/** After the day of a memory that was never recalled, and before every other day. */
const firstDay = `date '0001-01-01'`;

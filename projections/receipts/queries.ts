import { logChain } from '../../contracts/log.js';
import type { Row, Transaction, Value } from '../../src/adapters/database/database.js';
import { entryRows } from '../../src/ledger/rows.js';
import { anchorRows, leafRows } from '../log/rows.js';
import { seqsOf } from './times.js';

export interface ReceiptView extends Row {
  receipt_id: string;
  seq: number;
  kind: string;
  recorded_at: string;
  namespace_ids: string[];
  bytes: Uint8Array;
  hash: Uint8Array;
  /** The best state of all checkpoints over it. Calendars may lose one checkpoint, and a later one proves the same. */
  anchor_state: 'pending' | 'submitted' | 'attested' | 'confirmed';
  ots: Uint8Array | null;
}

/** SQL of the first checkpoint over a leaf in a state, which takes one look-up in the index of states and sizes. */
const first = (state: string) =>
  `(select min(a.size) from ${anchorRows} a where a.type = 'opentimestamps' and a.state = '${state}' and a.size > l.index)`;

const select = `select r.receipt_id, r.seq, r.kind, r.namespace_ids::text[], r.recorded_at, e.bytes, e.hash,
         coalesce(c.state, 'pending') as anchor_state, c.proof as ots
  from receipts r join ${entryRows} e on e.chain = r.workspace_id and e.seq = r.seq
  left join lateral (select f.index from ${leafRows} f
     where f.workspace_id = r.workspace_id and f.size >= r.seq order by f.size limit 1) l on true
  left join ${anchorRows} c on c.type = 'opentimestamps' and c.size = coalesce(${first('confirmed')}, ${first('attested')}, ${first('submitted')})`;

export async function receiptById(tx: Transaction, workspaceId: string, id: string): Promise<ReceiptView | undefined> {
  const [row] = await tx.query<ReceiptView>(`${select} where r.workspace_id = $1 and r.receipt_id = $2`, [
    workspaceId,
    id,
  ]);
  return row;
}

/** The receipt of a hash (hex) in any workspace, without its contents. */
export async function receiptByHash(
  tx: Transaction,
  hash: string,
): Promise<Pick<ReceiptView, 'recorded_at' | 'anchor_state'> | undefined> {
  const [row] = await tx.query<ReceiptView>(
    `${select} where e.hash = decode($1, 'hex') and r.workspace_id <> $2 limit 1`,
    [hash, logChain],
  );
  return row && { recorded_at: row.recorded_at, anchor_state: row.anchor_state };
}

export interface ReceiptFilter {
  /** Only receipts that concern no other namespaces than these. */
  readonly namespaceIds: readonly string[];
  /** Only receipts of these kinds; null: of every kind. */
  readonly kinds: readonly string[] | null;
  readonly kind?: string | undefined;
  readonly agent?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Receipts, newest first, those before `beforeSeq`. */
export async function listReceipts(
  tx: Transaction,
  workspaceId: string,
  filter: ReceiptFilter,
  beforeSeq: number | null,
  limit: number,
): Promise<ReceiptView[]> {
  const { first, end } = await seqsOf(tx, workspaceId, filter);
  const before = Math.min(beforeSeq ?? Number.MAX_SAFE_INTEGER, end ?? Number.MAX_SAFE_INTEGER);
  const params: Value[] = [workspaceId, filter.namespaceIds, filter.kinds, first, before, limit];
  const clauses: string[] = [];
  const where = (sql: string, value: string | undefined) => {
    if (value !== undefined) clauses.push(`and ${sql} $${params.push(value)}`);
  };
  where('r.kind =', filter.kind);
  where('r.agent_id =', filter.agent);
  where('r.recorded_at >=', filter.since);
  where('r.recorded_at <', filter.until);
  return tx.query<ReceiptView>(
    `${select} where r.workspace_id = $1 and r.namespace_ids <@ $2::uuid[] and ($3::text[] is null or r.kind = any($3::text[]))
        and r.seq >= $4 and r.seq < $5 ${clauses.join(' ')}
      order by r.seq desc limit $6`,
    params,
  );
}

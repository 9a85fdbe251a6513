import { logChain } from '../../contracts/log.js';
import type { Row, Transaction, Value } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { decisionRows } from '../decisions/rows.js';
import { agentOfReceipt } from '../facts/rows.js';
import { emittedAtOf } from '../feedback/rows.js';
import { anchorRows, anchorTxOver, leafRows } from '../log/rows.js';
import { taskRows } from '../tasks/rows.js';
import { type Place, pageOf, positionOf, type ReceiptFilter } from './filter-sql.js';
import { seqsOf } from './times.js';

/** A receipt without what may be long. */
interface ReceiptRow extends Row {
  receipt_id: string;
  seq: number;
  kind: string;
  recorded_at: string;
  namespace_ids: string[];
  hash: Uint8Array;
  /** The best state of all checkpoints over it. Calendars may lose one checkpoint, and a later one proves the same. */
  anchor_state: 'pending' | 'submitted' | 'attested' | 'confirmed';
  ots: Uint8Array | null;
  /** The first anchor on Ethereum of a checkpoint over it; see `readAnchorTx`. */
  anchor_tx: string | null;
  /** When feedback that counts the receipt was recorded; null while there is none. */
  erc8004_emitted_at: string | null;
  /** Of a task receipt the client's id; null for other kinds. */
  task_id: string | null;
  /** Of the erasure of the private text; null where it was not erased, and for receipts that are shown without one. */
  erasure_receipt_id: string | null;
  /** Of the private text that the receipt is shown with, as long as it was not erased. */
  salt: Uint8Array | null;
}

/**
 * A receipt as it is stored now. A private text must not be shown before it was compared with the commitment in the
 * entry: see src/commands/vault.ts.
 */
export interface ReceiptView extends ReceiptRow {
  bytes: Uint8Array;
  /** The private text of a task receipt, a decision or a handoff; null where there is none, or it was erased. */
  content: string | null;
}

/** A receipt of a list: without bytes and text if the receipts before it have `pageBytes` of them already. */
export interface ListedReceipt extends ReceiptRow {
  bytes: Uint8Array | null;
  content: string | null;
  /** Of the entry and the private text, in bytes. */
  size: number;
}

/** How many bytes of entries and private texts are read at once at most, not counting the last receipt. */
export const pageBytes = 1024 * 1024;

/** SQL of the first checkpoint over a leaf in a state, which takes one look-up in the index of states and sizes. */
const first = (state: string) =>
  `(select min(a.size) from ${anchorRows} a where a.type = 'opentimestamps' and a.state = '${state}' and a.size > l.index)`;

const emittedAt = emittedAtOf('r.workspace_id', agentOfReceipt('r.recorded_at', 'e.hash'), 'r.seq');

const columns = `r.receipt_id, r.seq, r.kind, r.namespace_ids::text[], r.recorded_at, e.hash,
  coalesce(c.state, 'pending') as anchor_state, c.proof as ots,
  ${anchorTxOver('l.index')} as anchor_tx,
  case when r.kind = 'task' then ${emittedAt} end as erc8004_emitted_at, t.task_id,
  coalesce(t.erasure_receipt_id, d.erasure_receipt_id) as erasure_receipt_id, v.salt`;

const from = `from receipts r join ${entryRows} e on e.chain = r.workspace_id and e.seq = r.seq
  left join ${taskRows} t on t.receipt_id = r.receipt_id
  left join ${decisionRows} d on d.receipt_id = r.receipt_id
  left join ${vaultRows} v on v.receipt_id = coalesce(t.receipt_id, d.receipt_id)
  left join lateral (select f.index from ${leafRows} f
     where f.workspace_id = r.workspace_id and f.size >= r.seq order by f.size limit 1) l on true
  left join ${anchorRows} c on c.type = 'opentimestamps' and c.size = coalesce(${first('confirmed')}, ${first('attested')}, ${first('submitted')})`;

const select = `select ${columns}, e.bytes, v.content ${from}`;

/** The size of a row, which the database knows without reading its texts. */
const size = 'octet_length(e.bytes) + coalesce(octet_length(v.content), 0)';

/** @param order of the receipts, in which the first ones come with their texts */
function listed(order: 'r.seq' | 'r.seq desc'): string {
  const fits = `sum(${size}) over (order by ${order}) <= ${pageBytes}`;
  return `select ${columns}, ${size} as size, case when ${fits} then e.bytes end as bytes,
            case when ${fits} then v.content end as content ${from}`;
}

/** @param id the service's id, or the id that a client has chosen for its task receipt; the service's ids go first */
export async function receiptById(tx: Transaction, workspaceId: string, id: string): Promise<ReceiptView | undefined> {
  const [row] = await tx.query<ReceiptView>(
    `${select} where r.workspace_id = $1 and r.seq = ${positionOf('$1', '$2')}`,
    [workspaceId, id],
  );
  return row;
}

/** The receipts of a workspace at these positions, oldest first. */
export function receiptsAt(tx: Transaction, workspaceId: string, seqs: readonly number[]): Promise<ReceiptView[]> {
  return tx.query<ReceiptView>(`${select} where r.workspace_id = $1 and r.seq = any($2::bigint[]) order by r.seq`, [
    workspaceId,
    seqs,
  ]);
}

/** The same as rows of a list. */
export function listedAt(tx: Transaction, workspaceId: string, seqs: readonly number[]): Promise<ListedReceipt[]> {
  return tx.query<ListedReceipt>(
    `${listed('r.seq')} where r.workspace_id = $1 and r.seq = any($2::bigint[]) order by r.seq`,
    [workspaceId, seqs],
  );
}

interface ExportedEntry extends Row {
  seq: number;
  bytes: Uint8Array;
}

/** The bytes of up to `limit` entries of a workspace after number `after`, in order; after the first one only as long as they have `mostBytes`. */
export function exportEntries(
  tx: Transaction,
  workspaceId: string,
  after: number,
  limit: number,
  mostBytes: number,
): Promise<ExportedEntry[]> {
  return tx.query<ExportedEntry>(
    `select seq, bytes from (
       select seq, bytes, sum(octet_length(bytes)) over (order by seq) - octet_length(bytes) as before
         from (select seq, bytes from ${entryRows} where chain = $1 and seq > $2 order by seq limit $3) page) sized
      where before < $4 order by seq`,
    [workspaceId, after, limit, mostBytes],
  );
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

/** Receipts, newest first, those before `beforeSeq`. */
export async function listReceipts(
  tx: Transaction,
  workspaceId: string,
  filter: ReceiptFilter,
  beforeSeq: number | null,
  limit: number,
): Promise<ListedReceipt[]> {
  const { first, end } = await seqsOf(tx, workspaceId, filter);
  const before = Math.min(beforeSeq ?? Number.MAX_SAFE_INTEGER, end ?? Number.MAX_SAFE_INTEGER);
  return listedOf(tx, workspaceId, filter, { first, before, limit });
}

interface Followed {
  /** Oldest first. */
  readonly rows: readonly ListedReceipt[];
  /** The newest entry of the chain at that moment: up to it `rows` leaves out nothing if it has fewer than `limit` receipts. */
  readonly newest: number;
}

/** The first receipts after `afterSeq`. The end of the chain is read first, so an entry that comes meanwhile belongs to the next call. */
export async function receiptsAfter(
  tx: Transaction,
  workspaceId: string,
  filter: ReceiptFilter,
  afterSeq: number,
  limit: number,
): Promise<Followed> {
  const [last] = await tx.query<{ seq: number }>(
    'select seq from receipts where workspace_id = $1 order by seq desc limit 1',
    [workspaceId],
  );
  const newest = last?.seq ?? 0;
  // Each open tab asks every few seconds, and mostly nothing is new.
  if (afterSeq >= newest) return { rows: [], newest };
  const { first } = await seqsOf(tx, workspaceId, filter);
  const place = { first: Math.max(first, afterSeq + 1), before: newest + 1, limit, oldestFirst: true };
  return { rows: await listedOf(tx, workspaceId, filter, place), newest };
}

function listedOf(tx: Transaction, workspaceId: string, filter: ReceiptFilter, place: Place): Promise<ListedReceipt[]> {
  const order = place.oldestFirst ? 'r.seq' : 'r.seq desc';
  const params: Value[] = [workspaceId];
  const page = pageOf(filter, place, params);
  return tx.query<ListedReceipt>(
    `${listed(order)} where r.workspace_id = $1 and r.seq in (${page}) order by ${order}`,
    params,
  );
}

import type { ApprovalUse } from '../../contracts/entries/entry.js';
import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { type Approvers, approverOf } from './approvers.js';

/**
 * The last reinstatement or promotion of each workspace. Searches remember which memories fail a filter, and being invalidated or
 * a test memory are the only reasons to fail that can end. So what a search remembers is used only until the next of them.
 */
export const reinstatementsDdl = `
    create table memory_reinstatements (
      workspace_id uuid primary key,
      seq bigint not null
    );
`;

/** The changes of the validity of memories. Of several changes of one memory only the last one counts. */
export interface Validity {
  /** By memory. */
  readonly changed: Map<string, Change>;
  /** By memory. */
  readonly promoted: Map<string, { readonly at: string; readonly approval: ApprovalUse | undefined }>;
  /** By workspace: the last reinstatement or promotion. */
  readonly reinstated: Map<string, number>;
}

interface Change {
  readonly memory_id: string;
  readonly receipt_id: string;
  readonly seq: number | null;
  readonly at: string;
}

export const noChange = (): Validity => ({ changed: new Map(), promoted: new Map(), reinstated: new Map() });

export function noteInvalidated({ changed }: Validity, { entry }: RecordedOf<'memory.invalidated'>): void {
  const { seq, receipt_id, recorded_at: at, body } = entry;
  changed.set(body.memory_id, { memory_id: body.memory_id, receipt_id, seq, at });
}

/** A reinstated memory has no position of an invalidation, but its receipt: the reason is still in the vault. */
export function noteReinstated({ changed, reinstated }: Validity, { entry }: RecordedOf<'memory.reinstated'>): void {
  const { memory_id, invalidation_receipt_id: receipt_id } = entry.body;
  changed.set(memory_id, { memory_id, receipt_id, seq: null, at: entry.recorded_at });
  reinstated.set(entry.workspace_id, entry.seq);
}

export function notePromoted({ promoted, reinstated }: Validity, { entry }: RecordedOf<'memory.promoted'>): void {
  promoted.set(entry.body.memory_id, { at: entry.recorded_at, approval: entry.body.approval });
  reinstated.set(entry.workspace_id, entry.seq);
}

/** Invalidates, reinstates and promotes memories. */
export async function followValidity(
  tx: Transaction,
  { changed, promoted, reinstated }: Validity,
  approvers: Approvers,
): Promise<void> {
  if (changed.size > 0) await changeValidity(tx, [...changed.values()]);
  if (promoted.size > 0) await promote(tx, promoted, approvers);
  if (reinstated.size === 0) return;
  await tx.query(
    `insert into memory_reinstatements select * from unnest($1::uuid[], $2::bigint[])
     on conflict (workspace_id) do update set seq = excluded.seq`,
    [[...reinstated.keys()], [...reinstated.values()]],
  );
}

/** A test memory is a real one from then on. Who approved that has approved it. */
async function promote(tx: Transaction, promoted: Validity['promoted'], approvers: Approvers): Promise<void> {
  const last = [...promoted.values()];
  await tx.query(
    `update memories m set playground = false, updated_at = greatest(m.updated_at, p.at),
            approved_by = coalesce(p.approved_by, m.approved_by)
       from unnest($1::uuid[], $2::timestamptz[], $3::text[]) p(id, at, approved_by) where m.id = p.id`,
    [[...promoted.keys()], last.map(({ at }) => at), last.map(({ approval }) => approverOf(approvers, approval))],
  );
}

async function changeValidity(tx: Transaction, changes: readonly Change[]): Promise<void> {
  await tx.query(
    `update memories m set invalidated = c.seq is not null, invalidation_receipt_id = c.receipt_id,
         invalidation_seq = c.seq, updated_at = greatest(m.updated_at, c.at)
       from json_to_recordset($1::json) c(memory_id uuid, receipt_id text, seq bigint, at timestamptz)
      where m.id = c.memory_id`,
    [JSON.stringify(changes)],
  );
}

/** The invalidation of a memory: the bytes of its entry, and its reason from the vault as long as it is there. */
export interface InvalidationRow extends Row {
  memory_id: string;
  receipt_id: string;
  receipt_hash: string;
  /** The bytes that were hashed. */
  entry: Uint8Array;
  salt: Uint8Array | null;
  content: string | null;
  metadata: null;
  source: null;
  label: null;
  /** The namespace of the memory that is valid instead; null when none is named, or when that memory is gone. */
  superseded_in: string | null;
}

interface Invalidable {
  readonly id: string;
  readonly invalidated: boolean;
}

/** Adds their invalidations to rows of memories. Rows of valid memories cost no further read. */
export async function withInvalidations<K extends Invalidable>(
  tx: Transaction,
  rows: readonly K[],
): Promise<(K & { invalidation: InvalidationRow | null })[]> {
  const ids = rows.filter(({ invalidated }) => invalidated).map(({ id }) => id);
  const found = ids.length === 0 ? [] : await invalidationsOf(tx, ids);
  const byMemory = new Map(found.map((row) => [row.memory_id, row]));
  return rows.map((row) => ({ ...row, invalidation: byMemory.get(row.id) ?? null }));
}

function invalidationsOf(tx: Transaction, memoryIds: readonly string[]): Promise<InvalidationRow[]> {
  return tx.query<InvalidationRow>(
    `select m.id::text as memory_id, m.invalidation_receipt_id as receipt_id, encode(e.hash, 'hex') as receipt_hash,
            e.bytes as entry, v.salt, v.content, v.metadata, v.source, v.label,
            (select s.namespace_id::text from memories s
              where s.id = (convert_from(e.bytes, 'UTF8')::json -> 'body' ->> 'superseded_by')::uuid) as superseded_in
       from memories m join ${entryRows} e on e.chain = m.workspace_id and e.seq = m.invalidation_seq
       left join ${vaultRows} v on v.receipt_id = m.invalidation_receipt_id
      where m.id = any($1::uuid[]) and m.invalidated`,
    [memoryIds],
  );
}

/** The position of the last reinstatement or promotion of a workspace; 0 before the first one. */
export async function lastReinstatement(tx: Transaction, workspaceId: string): Promise<number> {
  const [row] = await tx.query<{ seq: number }>('select seq from memory_reinstatements where workspace_id = $1', [
    workspaceId,
  ]);
  return row?.seq ?? 0;
}

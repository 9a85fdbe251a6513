import type { Recorded } from '../../contracts/entries/recorded.js';
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

/** Invalidates, reinstates and promotes memories. */
export async function followValidity(
  tx: Transaction,
  recorded: readonly Recorded[],
  approvers: Approvers,
): Promise<void> {
  await followInvalidations(tx, recorded);
  await followPromotions(tx, recorded, approvers);
  const last = recorded.flatMap(({ entry }) =>
    entry.kind === 'memory.reinstated' || entry.kind === 'memory.promoted'
      ? [[entry.workspace_id, entry.seq] as const]
      : [],
  );
  if (last.length === 0) return;
  const newest = new Map(last);
  await tx.query(
    `insert into memory_reinstatements select * from unnest($1::uuid[], $2::bigint[])
     on conflict (workspace_id) do update set seq = excluded.seq`,
    [[...newest.keys()], [...newest.values()]],
  );
}

/** A test memory is a real one from then on. Who approved that has approved it. */
async function followPromotions(tx: Transaction, recorded: readonly Recorded[], approvers: Approvers): Promise<void> {
  const promoted = new Map(
    recorded.flatMap(({ entry }) =>
      entry.kind === 'memory.promoted'
        ? [[entry.body.memory_id, { at: entry.recorded_at, by: approverOf(approvers, entry.body.approval) }] as const]
        : [],
    ),
  );
  if (promoted.size === 0) return;
  await tx.query(
    `update memories m set playground = false, updated_at = greatest(m.updated_at, p.at),
            approved_by = coalesce(p.approved_by, m.approved_by)
       from unnest($1::uuid[], $2::timestamptz[], $3::text[]) p(id, at, approved_by) where m.id = p.id`,
    [[...promoted.keys()], [...promoted.values()].map(({ at }) => at), [...promoted.values()].map(({ by }) => by)],
  );
}

/** Of several changes of one memory in a batch only the last one counts. */
async function followInvalidations(tx: Transaction, recorded: readonly Recorded[]): Promise<void> {
  const changes = new Map(recorded.flatMap(changeOf).map((change) => [change.memory_id, change]));
  if (changes.size === 0) return;
  await tx.query(
    `update memories m set invalidated = c.seq is not null, invalidation_receipt_id = c.receipt_id,
         invalidation_seq = c.seq, updated_at = greatest(m.updated_at, c.at)
       from json_to_recordset($1::json) c(memory_id uuid, receipt_id text, seq bigint, at timestamptz)
      where m.id = c.memory_id`,
    [JSON.stringify([...changes.values()])],
  );
}

interface Change {
  readonly memory_id: string;
  readonly receipt_id: string;
  readonly seq: number | null;
  readonly at: string;
}

/** A reinstated memory has no position of an invalidation, but its receipt: the reason is still in the vault. */
function changeOf({ entry }: Recorded): Change[] {
  const at = entry.recorded_at;
  if (entry.kind === 'memory.invalidated') {
    return [{ memory_id: entry.body.memory_id, receipt_id: entry.receipt_id, seq: entry.seq, at }];
  }
  if (entry.kind !== 'memory.reinstated') return [];
  return [{ memory_id: entry.body.memory_id, receipt_id: entry.body.invalidation_receipt_id, seq: null, at }];
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

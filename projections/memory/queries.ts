import type { Row, Transaction, Value } from '../../src/database/database.js';
import { entryRows, vaultRows } from '../../src/ledger/rows.js';
import { isReady, jobRows, stageOfJob } from '../ingest/rows.js';
import { namespaceRows } from '../namespace/rows.js';
import { endOfId } from './rows.js';
import { type InvalidationRow, withInvalidations } from './validity.js';

export { type InvalidationRow, lastReinstatement } from './validity.js';

/**
 * A memory as it is stored now, with its texts from the vault and its stage from its job. It must not be shown or indexed before
 * the texts were compared with the commitment in the entry: see src/commands/vault.ts.
 */
export interface MemoryView extends SummaryRow {
  content: string;
}

/** The same memory, without its content if that is long. */
export interface SummaryRow extends StoredRow {
  /** Null for a valid memory. */
  invalidation: InvalidationRow | null;
}

/** A row as one statement reads it. */
interface StoredRow extends Row {
  id: string;
  namespace_id: string;
  seq: number;
  content: string | null;
  content_hash: string;
  metadata: string;
  source: string | null;
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
  run_id: string | null;
  playground: boolean;
  stage: string;
  receipt_id: string;
  receipt_hash: string;
  size: number;
  created_at: string;
  updated_at: string;
  salt: Uint8Array;
  label: string | null;
  /** The bytes that were hashed. */
  entry: Uint8Array;
  invalidated: boolean;
}

interface WholeRow extends StoredRow {
  content: string;
}

const columns = `m.id::text, m.namespace_id::text, m.seq, m.content_hash, v.metadata, v.source, m.user_id, m.agent_id,
  m.app_id, m.run_id, m.playground, ${stageOfJob} as stage, m.receipt_id, m.receipt_hash, m.size, m.created_at, m.updated_at, m.invalidated,
  v.salt, v.label, e.bytes as entry`;

/**
 * A commitment opens to a whole text only, so summaries need whole texts too. These come with the rows as long as they are
 * no more than this in all; of a longer page, the code that opens the commitments reads the rest in parts as large as this.
 */
export const summaryBytes = 1024 * 1024;

const content = `case when sum(m.size) over (order by m.id desc) <= ${summaryBytes} then v.content end as content`;

const about = `join ${vaultRows} v on v.receipt_id = m.receipt_id left join ${jobRows} j on j.memory_id = m.id
  join ${entryRows} e on e.chain = m.workspace_id and e.seq = m.seq`;

const from = `from memories m ${about}`;

export async function memoryById(tx: Transaction, workspaceId: string, id: string): Promise<MemoryView | undefined> {
  const rows = await tx.query<WholeRow>(
    `select ${columns}, v.content ${from} where m.id = $2::uuid and m.workspace_id = $1`,
    [workspaceId, id],
  );
  const [row] = await withInvalidations(tx, rows);
  return row;
}

export async function memoriesByIds(tx: Transaction, ids: readonly string[]): Promise<MemoryView[]> {
  const rows = await tx.query<WholeRow>(`select ${columns}, v.content ${from} where m.id = any($1::uuid[])`, [ids]);
  return withInvalidations(tx, rows);
}

/** The newest valid memories of a run in these namespaces that are ready and no test memories, newest first. */
export async function newestOfRun(
  tx: Transaction,
  namespaceIds: readonly string[],
  run: string,
  limit: number,
): Promise<MemoryView[]> {
  const rows = await tx.query<WholeRow>(
    `select ${columns}, v.content ${from}
      where m.namespace_id = any($1::uuid[]) and m.run_id = $2 and not m.invalidated and not m.playground and ${isReady('m.id')}
      order by m.seq desc limit $3`,
    [namespaceIds, run, limit],
  );
  return withInvalidations(tx, rows);
}

/** The namespace of a memory; undefined if the workspace has no such memory. */
export async function namespaceOfMemory(tx: Transaction, workspaceId: string, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ namespace_id: string }>(
    'select namespace_id::text from memories where id = $2::uuid and workspace_id = $1',
    [workspaceId, id],
  );
  return row?.namespace_id;
}

/** The ids, two at most, of the memories of these namespaces whose ids end with these digits. */
export async function memoriesEnding(
  tx: Transaction,
  workspaceId: string,
  namespaceIds: readonly string[],
  digits: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id::text from memories
      where ${endOfId} = $3 and workspace_id = $1 and namespace_id = any($2::uuid[]) order by id limit 2`,
    [workspaceId, namespaceIds, digits],
  );
  return rows.map(({ id }) => id);
}

/** The contents of those of these memories that are short. They must not be shown. */
export function shortContents(tx: Transaction, ids: readonly string[], most: number) {
  return tx.query<{ id: string; content: string; invalidated: boolean }>(
    `select m.id::text, v.content, m.invalidated from memories m join ${vaultRows} v on v.receipt_id = m.receipt_id
      where m.id = any($1::uuid[]) and m.size <= $2`,
    [ids, most],
  );
}

/**
 * The same as `memoriesByIds` in the order of `ids`, with the contents of the first of them as long as these are no more than
 * `summaryBytes`, and with those of no more than `short` bytes.
 */
export async function rankedByIds(tx: Transaction, ids: readonly string[], short: number): Promise<SummaryRow[]> {
  const rows = await tx.query<StoredRow>(
    `select ${columns},
            case when m.size <= $2 or sum(m.size) over (order by r.place) <= ${summaryBytes} then v.content end as content
       from unnest($1::uuid[]) with ordinality r(id, place) join memories m on m.id = r.id ${about} order by r.place`,
    [ids, short],
  );
  return withInvalidations(tx, rows);
}

/** The same as summaries need them, newest first. */
export async function summariesByIds(tx: Transaction, ids: readonly string[]): Promise<SummaryRow[]> {
  const rows = await tx.query<StoredRow>(
    `select ${columns}, ${content} ${from} where m.id = any($1::uuid[]) order by m.id desc`,
    [ids],
  );
  return withInvalidations(tx, rows);
}

interface MatchableRow extends Row {
  id: string;
  workspace_id: string;
  namespace_id: string;
  source: string | null;
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
  run_id: string | null;
  /** JSON text. */
  metadata: string;
}

/** The fields that patterns of webhooks look at, without the content. */
export function readMatchable(tx: Transaction, ids: readonly string[]): Promise<MatchableRow[]> {
  return tx.query<MatchableRow>(
    `select m.id::text, m.workspace_id::text, m.namespace_id::text, m.source, m.user_id, m.agent_id, m.app_id, m.run_id,
            v.metadata
       from memories m join ${vaultRows} v on v.receipt_id = m.receipt_id where m.id = any($1::uuid[]) order by m.seq`,
    [ids],
  );
}

export interface ListFilter {
  readonly namespaceIds: readonly string[];
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly app_id?: string | undefined;
  readonly run_id?: string | undefined;
  readonly includePlayground: boolean;
}

/** The condition of a list on `memories m` and their jobs, for the workspace $1 and the namespaces $2. */
function listed(filter: ListFilter, params: Value[]): string {
  const clauses = ['m.workspace_id = $1 and m.namespace_id = any($2::uuid[])'];
  for (const column of ['user_id', 'agent_id', 'app_id', 'run_id'] as const) {
    const wanted = filter[column];
    if (wanted !== undefined) clauses.push(`m.${column} = $${params.push(wanted)}`);
  }
  if (!filter.includePlayground) clauses.push('not m.playground');
  clauses.push(isReady('m.id'));
  return clauses.join(' and ');
}

/**
 * Ready memories, newest first: those before `before` (an id; UUID v7 sort by time), or after skipping `offset`.
 * The database reads no rows of other tables for skipped memories.
 */
export async function listMemories(
  tx: Transaction,
  workspaceId: string,
  filter: ListFilter,
  place: { readonly before: string | null; readonly offset: number; readonly limit: number },
): Promise<SummaryRow[]> {
  const params: Value[] = [workspaceId, filter.namespaceIds, place.before, place.limit, place.offset];
  const condition = listed(filter, params);
  const rows = await tx.query<StoredRow>(
    `select ${columns}, ${content}
       from (select m.* from memories m where ${condition} and ($3::uuid is null or m.id < $3::uuid)
              order by m.id desc limit $4 offset $5) m
       ${about} order by m.id desc`,
    params,
  );
  return withInvalidations(tx, rows);
}

/**
 * Memories of any status in the order of their ids, until `limit` of them or about `bytes` of content and metadata.
 * The sizes are summed up before any content is read, so a page exceeds `bytes` by one memory at most.
 */
export async function exportMemories(
  tx: Transaction,
  workspaceId: string,
  namespaceIds: readonly string[],
  after: string | null,
  limit: number,
  bytes: number,
): Promise<(MemoryView & { namespace_name: string })[]> {
  const rows = await tx.query<WholeRow & { namespace_name: string }>(
    `with page as (
       select id, sum(size) over (order by id) - size as before from (
         select id, size from memories
          where workspace_id = $1 and namespace_id = any($2::uuid[]) and ($3::uuid is null or id > $3::uuid)
          order by id limit $4) sized
     )
     select ${columns}, v.content, n.name as namespace_name ${from}
       join ${namespaceRows} n on n.id = m.namespace_id join page p on p.id = m.id
      where p.before < $5 order by m.id`,
    [workspaceId, namespaceIds, after, limit, bytes],
  );
  return withInvalidations(tx, rows);
}

/** Memories of a namespace, oldest first: at least one of them if there are any, and as many as have `bytes` together. */
export async function memoryIdsIn(
  tx: Transaction,
  workspaceId: string,
  namespaceId: string,
  limit: number,
  bytes: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id::text from (
       select id, sum(size) over (order by id) - size as before from (
         select id, size from memories where workspace_id = $1 and namespace_id = $2::uuid order by id limit $3) page) m
      where before < $4 order by id`,
    [workspaceId, namespaceId, limit, bytes],
  );
  return rows.map(({ id }) => id);
}

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageOf, type ReceiptFilter } from '../../../projections/receipts/filter-sql.js';
import type { Row, Value } from '../../../src/database/database.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
const workspaceId = randomUUID();
const uuidOf = (text: string) => createHash('md5').update(text).digest('hex');
beforeAll(async () => {
  store = await newStore();
  await store.sql(
    `insert into receipts (receipt_id, workspace_id, seq, kind, actor_id, agent_id, memory_id, namespace_ids, recorded_at)
     select 'rcp_' || n, $1, n, case n % 3 when 0 then 'memory.write' else 'task' end, 'actor ' || n % 50, 'agent ' || n % 50,
            case n % 3 when 0 then md5((n % 500)::text)::uuid end,
            case n % 3 when 0 then array[md5((n % 50)::text)::uuid] else '{}' end, now()
       from generate_series(1, 5000) n`,
    [workspaceId],
  );
  await store.sql(
    'insert into receipt_namespaces select $1, md5((n % 50)::text)::uuid, n from generate_series(1, 5000) n where n % 3 > 0',
    [workspaceId],
  );
  await store.sql(
    `insert into tasks (receipt_id, workspace_id, seq, task_id, agent_handle, status, session_id, trace_id, started_ms)
     select 'rcp_' || n, $1, n, 'task ' || n, '@bot' || n % 50, (array['success', 'error'])[1 + n % 2], 'session ' || n % 500,
            lpad(to_hex(n % 500), 32, '0'), n from generate_series(1, 5000) n where n % 3 > 0`,
    [workspaceId],
  );
  await store.database.maintain('analyze');
}, 60_000);
afterAll(() => store.close());

/** How the database reads a page. */
async function planOf(filter: Partial<ReceiptFilter>, oldestFirst: boolean): Promise<string> {
  const params: Value[] = [workspaceId];
  const place = { first: 0, before: 10_000, limit: 26, oldestFirst };
  const sql = pageOf({ namespaceIds: [], visible: null, ...filter }, place, params);
  const rows = await store.database.transaction(async (tx) => {
    // A list of a few rows may be sorted, and a small table may be read whole. Larger ones are not.
    await tx.query('set local enable_bitmapscan = off');
    await tx.query('set local enable_seqscan = off');
    return tx.query<Row>(`explain (costs off) ${sql}`, params);
  });
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

// @covers TASK-READ-FILTERS
test.each<[Partial<ReceiptFilter>, string]>([
  [{}, 'receipts_pkey'],
  [{ kinds: ['task'] }, 'receipts_hashtextextended_seq_idx'],
  [{ agent: 'agent 7' }, 'receipts_hashtextextended_seq_idx2'],
  [{ kinds: ['task', 'memory.write'] }, 'receipts_hashtextextended_seq_idx'],
  [{ actor: 'actor 7' }, 'receipts_hashtextextended_seq_idx1'],
  [{ memoryId: uuidOf('9') }, 'receipts_memory_id_seq_idx'],
  [{ memoryId: uuidOf('9'), kinds: ['memory.write', 'memory.delete'] }, 'receipts_memory_id_seq_idx'],
  [{ namespaceId: uuidOf('7') }, 'receipts_namespace_ids_seq_idx'],
  [{ namespaceId: uuidOf('7') }, 'receipt_namespaces_pkey'],
  [{ receiptId: 'task 7' }, 'receipts_pkey'],
  [{ receiptId: 'task 7' }, 'entries_receipt_id_key'],
  [{ receiptId: 'task 7' }, 'tasks_hashtextextended_idx'],
  [{ handle: '@bot7' }, 'tasks_workspace_id_agent_handle_seq_idx'],
  [{ status: 'error' }, 'tasks_workspace_id_status_seq_idx'],
  [{ trace: '7'.padStart(32, '0') }, 'tasks_workspace_id_trace_id_seq_idx'],
  [{ session: 'session 7' }, 'tasks_workspace_id_hashtextextended_seq_idx'],
  [{ session: 'session 7', since: '2026-01-01T00:00:00Z' }, 'tasks_workspace_id_hashtextextended_seq_idx'],
  [{ handle: '@bot7', kinds: ['task'], until: '2026-01-01T00:00:00Z' }, 'tasks_workspace_id_agent_handle_seq_idx'],
])('the filter %j reads its page from an end of an index', async (filter, index) => {
  for (const oldestFirst of [false, true]) {
    const plan = await planOf(filter, oldestFirst);
    expect(plan).toContain(`using ${index}`);
    // The id of a receipt finds one, which needs no order.
    if (!filter.receiptId) expect(plan.includes('Backward')).toBe(!oldestFirst);
    expect(plan).not.toContain('Seq Scan');
  }
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageOf, type ReceiptFilter } from '../../../projections/receipts/filter-sql.js';
import type { Row, Value } from '../../../src/database/database.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
const workspaceId = randomUUID();
beforeAll(async () => {
  store = await newStore();
  await store.sql(
    `insert into receipts (receipt_id, workspace_id, seq, kind, agent_id, namespace_ids, recorded_at)
     select 'rcp_' || n, $1, n, case n % 3 when 0 then 'memory.write' else 'task' end, 'agent ' || n % 50, '{}', now()
       from generate_series(1, 5000) n`,
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
async function planOf(filter: Partial<ReceiptFilter>): Promise<string> {
  const params: Value[] = [workspaceId];
  const sql = pageOf({ namespaceIds: [], kinds: null, ...filter }, { first: 0, before: 10_000, limit: 26 }, params);
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
  [{}, 'receipts_workspace_id_seq_key'],
  [{ kind: 'task' }, 'receipts_workspace_id_kind_seq_idx'],
  [{ agent: 'agent 7' }, 'receipts_workspace_id_agent_id_seq_idx'],
  [{ receiptId: 'task 7' }, 'receipts_pkey'],
  [{ receiptId: 'task 7' }, 'tasks_workspace_id_task_id_idx'],
  [{ handle: '@bot7' }, 'tasks_workspace_id_agent_handle_seq_idx'],
  [{ status: 'error' }, 'tasks_workspace_id_status_seq_idx'],
  [{ trace: '7'.padStart(32, '0') }, 'tasks_workspace_id_trace_id_seq_idx'],
  [{ session: 'session 7' }, 'tasks_workspace_id_hashtextextended_seq_idx'],
  [{ session: 'session 7', since: '2026-01-01T00:00:00Z' }, 'tasks_workspace_id_hashtextextended_seq_idx'],
  [{ handle: '@bot7', kind: 'task', until: '2026-01-01T00:00:00Z' }, 'tasks_workspace_id_agent_handle_seq_idx'],
])('the filter %j reads its page from the end of an index', async (filter, index) => {
  const plan = await planOf(filter);
  expect(plan).toContain(`using ${index}`);
  expect(plan).not.toContain('Seq Scan');
});

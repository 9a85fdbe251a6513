import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { knownTaskIds, tasksByClientId } from '../../../projections/tasks/queries.js';
import type { Row, Transaction } from '../../../src/database/database.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
const workspaceId = randomUUID();
beforeAll(async () => {
  store = await newStore();
}, 60_000);
afterAll(() => store.close());

const addTasks = (from: number) =>
  store.sql(
    `insert into tasks (receipt_id, workspace_id, seq, task_id, agent_handle, status, session_id, trace_id, started_ms)
     select 'rcp_' || n, $1, n, 'task ' || n, '@bot', 'success', 'session', 'trace', n from generate_series($2::bigint, $2 + 299) n`,
    [workspaceId, from],
  );

type Lookup = (tx: Transaction, workspaceId: string, ids: readonly string[]) => Promise<unknown>;

/** How the database finds these ids with a plan for any values, which is the one that a connection keeps. */
function planOf(lookup: Lookup): Promise<string> {
  return store.database.transaction(async (tx) => {
    let statement = '';
    const noting = async <R extends Row>(sql: string): Promise<R[]> => {
      statement = sql;
      return [];
    };
    await lookup({ ...tx, query: noting }, workspaceId, []);
    await tx.query('set local plan_cache_mode = force_generic_plan');
    // A small table may be read whole. Larger ones are not.
    await tx.query('set local enable_seqscan = off');
    await tx.query(`prepare lookup(uuid, text[]) as ${statement}`);
    const rows = await tx.query<Row>(
      `explain (analyze, costs off, timing off) execute lookup('${workspaceId}', '{task 7,task 8,another}')`,
    );
    await tx.query('deallocate lookup');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

// @covers TASK-ID-LOOKUP
test.each<[string, Lookup]>([
  ['tasksByClientId', tasksByClientId],
  ['knownTaskIds', knownTaskIds],
])('%s reads no row of another id while the table is young', async (_, lookup) => {
  await store.sql('delete from tasks');
  for (const from of [1, 301, 601]) {
    await addTasks(from);
    const plan = await planOf(lookup);
    expect(plan).toContain('tasks_hashtextextended_idx');
    expect(plan).not.toMatch(/Rows Removed by (Filter|Index Recheck)/);
  }
});

import { expect, test } from 'vitest';
import { existingAmong } from '../../projections/memory/selection.js';
import { listSelected } from '../../src/api/memories/list-selected.js';
import type { Database, Row, Transaction, Value } from '../../src/database/database.js';
import { readFilter } from '../../src/domain/filters.js';
import { idsAt } from '../../src/domain/id-list.js';
import { newStore } from '../maintenance/store.js';

const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const filter = readFilter({ created_before: '2026-01-01T00:00:00Z' });
const selection = { namespaceIds: [idOf(1)], filter, agentId: undefined, status: undefined };

/** Lists a selection of a workspace with this number of memories, of which each `nth` is selected. */
function list(memories: number, nth: number) {
  let looked = 0;
  const rows = (sql: string): object[] => {
    if (!sql.includes('as looked')) return [{ id: idOf(1) }];
    const some = Math.min(4096, memories - looked);
    const ids = Array.from({ length: some }, (_, n) => looked + n)
      .filter((n) => n % nth === 0)
      .map(idOf);
    looked += some;
    return [{ looked: some, last: idOf(looked), ids, places: ids }];
  };
  const tx: Pick<Transaction, 'query'> = { query: async (sql: string) => JSON.parse(JSON.stringify(rows(sql))) };
  return listSelected((work) => work(Object.assign(Object.create(null), tx)), idOf(0), selection);
}

// @covers ERR-too_many_selected SELECT-BOUNDS
test('a selection has at most 100,000 memories, among at most 300,000', async () => {
  const all = await list(100_000, 1);
  expect([all.count, all.namespaceIds]).toEqual([100_000, [idOf(1)]]);
  expect([idsAt(all.ids, 0, 1), idsAt(all.ids, 99_999, 100_001)]).toEqual([[idOf(0)], [idOf(99_999)]]);
  expect((await list(290_000, 100)).count).toBe(2900);
  for (const [memories, nth] of [
    [100_001, 1],
    [310_000, 100],
  ] as const) {
    await expect(list(memories, nth)).rejects.toMatchObject({ code: 'too_many_selected' });
  }
  await expect(list(0, 1)).rejects.toMatchObject({ code: 'nothing_selected' });
});

/** The reads of a store, and the rows that each of their plans has touched. */
function touchedBy(database: Pick<Database, 'read'>) {
  const rows: number[] = [];
  const read: Database['read'] = (work) =>
    database.read((tx) => {
      const query = async <R extends Row>(sql: string, params: readonly Value[] = []): Promise<R[]> => {
        const plan = await tx.query(`explain (analyze) ${sql}`, params);
        const lines = plan.map((line) => String(line['QUERY PLAN']));
        const counts = lines.map((line) => {
          const [, count = 0, loops = 1] = /rows=(\d+)(?:\.\d+)? loops=(\d+)\)$/.exec(line) ?? [];
          const removed = /Rows Removed by [^:]*: (\d+)/.exec(line)?.[1] ?? 0;
          return Number(count) * Number(loops) + Number(removed);
        });
        rows.push(counts.reduce((sum, count) => sum + count, 0));
        return tx.query<R>(sql, params);
      };
      return work({ ...tx, query });
    });
  return { read, most: () => Math.max(...rows) };
}

test('memories are looked up one by one, also before the database has statistics', async () => {
  const store = await newStore();
  try {
    const caller = await store.openWorkspace();
    const id = await store.add(caller, 'marten');
    await store.sql(
      `insert into memories select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'seq', m.seq + n))).*
         from memories m, generate_series(1, 2999) n`,
    );
    const bySource = { ...selection, namespaceIds: caller.namespaceIds, filter: readFilter({ source: 'test' }) };
    const { read, most } = touchedBy(store.database);
    const { count } = await listSelected(read, caller.workspaceId, bySource);
    expect(count).toBe(3000);
    // Millions when the namespace is read once for each memory.
    expect(most()).toBeLessThan(100_000);
    const among = (namespaceIds: readonly string[]) =>
      store.database.read((tx) => existingAmong(tx, caller.workspaceId, namespaceIds, [id, idOf(1)]));
    expect([await among(caller.namespaceIds), await among([idOf(1)])]).toEqual([1, 0]);
  } finally {
    await store.close();
  }
});

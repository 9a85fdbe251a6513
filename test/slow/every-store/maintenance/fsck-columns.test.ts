import { afterAll, beforeAll, expect, test } from 'vitest';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { fill, models, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
let id: string;
beforeAll(async () => {
  store = await newStore();
  id = (await fill(store)).ids[0] ?? '';
});
afterAll(() => store.close());

const searchOnly = models.filter(({ projection }) => projection === null);

/** The faults after a change of the row of the memory, which is put back. */
async function faultsAfter(table: 'jobs' | 'search_documents', change: string): Promise<string | null> {
  await store.sql(`create table saved as select * from ${table} where memory_id = $1`, [id]);
  await store.sql(`update ${table} set ${change} where memory_id = $1`, [id]);
  const over = table === 'jobs' ? [] : searchOnly;
  const { faults } = await fsck(store.database, over, { onProgress: () => undefined });
  await store.sql(`delete from ${table} where memory_id = $1`, [id]);
  await store.sql(`insert into ${table} select * from saved`);
  await store.sql('drop table saved');
  return faults;
}

test.each([
  ['job_id', 'job_id = gen_random_uuid()'],
  ['created_at', `created_at = created_at + interval '1 second'`],
  ['stage_timestamps', `stage_timestamps = '{"queued": "2026-01-01T00:00:00.000Z", "done": "x"}'`],
  ['stage_timestamps', `stage_timestamps = '[]'`],
  ['stage_timestamps', `stage_timestamps = stage_timestamps - 'done'`],
  ['stage_timestamps', `stage = 'failed', failed_stage = 'chunking', failure_reason = 'x'`],
  ['failed_stage', `failed_stage = 'embedding'`],
  ['attempts', 'attempts = -1'],
  ['queued_by', `queued_by = 'another'`],
  ['lease_owner', 'lease_owner = gen_random_uuid()'],
])('fsck finds a changed column of a job: %s, %s', async (column, change) => {
  expect(await faultsAfter('jobs', change)).toContain(`The column ${column} of job `);
});

test('fsck finds a document that names another model than that of its vectors', async () => {
  expect(await faultsAfter('search_documents', `model = 'another'`)).toContain(
    `memory_id ${id} of the table search_documents differs`,
  );
  expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
});

/** Another value of each type of column that the tables of the ledger have. */
const changed: Readonly<Record<string, (column: string) => string>> = {
  uuid: () => 'gen_random_uuid()',
  bigint: (column) => `${column} + 1000`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  bytea: (column) => `${column} || '\\x00'`,
};

/** Everything that fsck says when a column of one row is changed, or the database, which does not take the change. */
async function saidAfter(table: string, column: string, type: string): Promise<string | null> {
  const row = `ctid = (select ctid from ${table} limit 1)`;
  await store.sql(`create table saved as select * from ${table}`);
  try {
    await store.sql(`update ${table} set ${column} = ${changed[type]?.(column)} where ${row}`);
    return (await fsck(store.database, [], { onProgress: () => undefined })).faults;
  } catch (error) {
    return String(error);
  } finally {
    await store.sql(`set session_replication_role = replica`);
    await store.sql(`delete from ${table}`);
    await store.sql(`insert into ${table} select * from saved`);
    await store.sql(`set session_replication_role = origin`);
    await store.sql('drop table saved');
  }
}

test('fsck finds a change of any column of the tables of the ledger', async () => {
  const columns = await store.sql<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_schema = current_schema() and table_name in ('chains', 'entries', 'vault') order by 1, ordinal_position`,
  );
  const unseen: string[] = [];
  for (const { table, column, type } of columns) {
    if ((await saidAfter(table, column, type)) === null) unseen.push(`${table}.${column}`);
  }
  expect(unseen).toEqual([]);
  expect((await fsck(store.database, [], { onProgress: () => undefined })).faults).toBeNull();
});

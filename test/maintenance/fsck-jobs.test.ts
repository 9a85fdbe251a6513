// @projects fast server
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fsck } from '../../src/maintenance/fsck.js';
import { fill, models, newStore, type Store } from './store.js';

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

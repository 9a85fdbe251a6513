import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Embedder } from '../../../../src/adapters/embeddings/embedder.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { searchIndex } from '../../../../src/maintenance/rebuildable.js';
import { fill, models, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
let caller: Caller;
let ids: string[];
beforeAll(async () => {
  store = await newStore();
  ({ caller, ids } = await fill(store));
});
afterAll(() => store.close());

const check = (over = models) => fsck(store.database, over, { onProgress: () => undefined });
const seqOf = async (memoryId: string | undefined) => {
  const [row] = await store.sql<{ seq: number; receipt_id: string }>(
    'select seq, receipt_id from memories where id = $1',
    [memoryId ?? ''],
  );
  if (!row) throw new Error('the memory is not there');
  return row;
};

/** Breaks the store with `damage`, expects the fault, and puts back what was there. */
async function finds(
  tables: readonly string[],
  damage: () => Promise<unknown>,
  ...parts: readonly (string | RegExp)[]
) {
  // Every read model at every fault would be a minute of comparing what no one has touched.
  const over = models.filter((one) => one.tables.some((table) => tables.includes(table)));
  for (const table of tables) await store.sql(`create table saved_${table} as select * from ${table}`);
  try {
    await damage();
    const { faults } = await check(over);
    for (const part of parts) expect(faults).toMatch(part);
  } finally {
    for (const table of tables.toReversed()) await store.sql(`delete from ${table}`);
    for (const table of tables) {
      await store.sql(`insert into ${table} select * from saved_${table}`);
      await store.sql(`drop table saved_${table}`);
    }
  }
  expect((await check(over)).faults).toBeNull();
}

test('a sound store has no fault, and everything was looked at', async () => {
  const labels = new Map<string, [number, number]>();
  const result = await fsck(store.database, models, {
    onProgress: (label, done, total) => labels.set(label, [done, total]),
  });
  const [stored] = await store.sql<{ n: number }>('select count(*) as n from entries');
  expect(result).toEqual({ entries: stored?.n, chains: 4, faults: null, faultCount: 0 });
  expect([...labels.keys()]).toEqual(['ledger', 'trees', ...models.map(({ name }) => name)]);
  for (const [done, total] of labels.values()) expect(done).toBe(total);
});

test('a model elsewhere is requested nothing: of its vectors two need not be the same', async () => {
  const elsewhere: Embedder = {
    model: 'of another house',
    repeatable: false,
    floor: 0,
    documents: () => Promise.reject(new Error('this costs money')),
    query: () => Promise.reject(new Error('this costs money')),
  };
  expect((await check([searchIndex(elsewhere)])).faults).toBeNull();
});

test('a flipped byte', () =>
  finds(
    ['entries'],
    () =>
      store.sql(
        `update entries set bytes = set_byte(bytes, 20, get_byte(bytes, 20) # 1) where chain = $1 and seq = 7`,
        [caller.workspaceId],
      ),
    'table entries',
    `entry 7 of workspace ${caller.workspaceId}`,
  ));

test('a dropped tail', () =>
  finds(
    ['entries', 'vault'],
    () => store.sql('delete from entries where chain = $1 and seq > 20', [caller.workspaceId]),
    `Entry 21 of workspace ${caller.workspaceId} is missing`,
  ));

test('an entry missing in the middle', () =>
  finds(
    ['entries'],
    () => store.sql('delete from entries where chain = $1 and seq = 9', [caller.workspaceId]),
    `entry 9 of workspace ${caller.workspaceId} is missing`,
  ));

test('swapped entries', () =>
  finds(
    ['entries'],
    async () => {
      for (const [from, to] of [
        [8, -1],
        [9, 8],
        [-1, 9],
      ]) {
        await store.sql('update entries set seq = $3 where chain = $1 and seq = $2', [
          caller.workspaceId,
          from ?? 0,
          to ?? 0,
        ]);
      }
    },
    `entry 8 of workspace ${caller.workspaceId}`,
  ));

test('an entry behind the head', () =>
  finds(
    ['entries'],
    () =>
      store.sql(
        `insert into entries select chain, 1000, 'rcp_more', hash, bytes from entries where chain = $1 and seq = 1`,
        [caller.workspaceId],
      ),
    `entry 1000 of workspace ${caller.workspaceId}, beyond its head`,
  ));

test('another receipt id beside the bytes', () =>
  finds(
    ['entries'],
    () => store.sql(`update entries set receipt_id = 'rcp_other' where chain = $1 and seq = 1`, [caller.workspaceId]),
    `receipt_id of entry 1 of workspace ${caller.workspaceId}`,
  ));

test('a changed head and a changed genesis', async () => {
  const change = async (column: string, fault: string) => {
    const [was] = await store.sql<{ value: Uint8Array }>(`select ${column} as value from chains where chain = $1`, [
      caller.workspaceId,
    ]);
    await store.sql(
      `update chains set ${column} = set_byte(${column}, 20, get_byte(${column}, 20) # 1) where chain = $1`,
      [caller.workspaceId],
    );
    const { faults } = await check();
    await store.sql(`update chains set ${column} = $2 where chain = $1`, [caller.workspaceId, was?.value ?? null]);
    expect(faults).toContain(fault);
    expect((await check()).faults).toBeNull();
  };
  await change('head_hash', `The head of workspace ${caller.workspaceId} in the table chains`);
  // Still a genesis to look at, but not the one that the first entry points back to.
  await change('genesis', `entry 1 of workspace ${caller.workspaceId}`);
});

test('a vault row that is missing, even when its memory was taken away too', async () => {
  const [memory] = ids;
  const { seq, receipt_id } = await seqOf(memory);
  const parts = [receipt_id, `entry ${seq} of workspace ${caller.workspaceId}`, 'is missing'];
  const drop = () => store.sql('delete from vault where receipt_id = $1', [receipt_id]);
  await finds(['vault'], drop, ...parts);
  await finds(
    ['vault', 'memories', 'jobs'],
    async () => {
      await drop();
      await store.sql('delete from memories where id = $1', [memory ?? '']);
      await store.sql('delete from jobs where memory_id = $1', [memory ?? '']);
    },
    ...parts,
  );
});

test('a changed salt, content, metadata or source', async () => {
  const { seq, receipt_id } = await seqOf(ids[1]);
  const where = `entry ${seq} of workspace ${caller.workspaceId}`;
  const change = (set: string) => () => store.sql(`update vault set ${set} where receipt_id = $1`, [receipt_id]);
  await finds(['vault'], change('salt = set_byte(salt, 0, get_byte(salt, 0) # 1)'), receipt_id, where, 'content');
  await finds(['vault'], change(`content = content || ' '`), receipt_id, where, 'its content');
  await finds(['vault'], change(`metadata = metadata || ' '`), receipt_id, where, 'its metadata');
  await finds(['vault'], change('source = null'), receipt_id, where, 'its source');
});

test('a vault row of nothing, and one of a deleted memory', async () => {
  await finds(
    ['vault'],
    () => store.sql(`insert into vault values ('rcp_leftover', '\\x00', 'x', '{}', null)`),
    /rcp_leftover.*vault belongs to no entry/,
  );
  const [deleted] = await store.sql<{ receipt_id: string }>(
    `select r.receipt_id from receipts r left join vault v using (receipt_id)
      where r.kind = 'memory.write' and v.receipt_id is null limit 1`,
  );
  // Without the content no one can forge a row that opens; one that was restored from a backup would.
  const id = await store.add(caller, 'kept by a backup');
  const { receipt_id } = await seqOf(id);
  await store.sql('create table backup as select * from vault where receipt_id = $1', [receipt_id]);
  await store.remove(caller, id);
  await finds(
    ['vault'],
    () => store.sql('insert into vault select * from backup'),
    receipt_id,
    'belongs to something that was deleted',
  );
  await finds(
    ['vault'],
    () => store.sql(`insert into vault values ($1, sha256(''), 'x', '{}', null)`, [deleted?.receipt_id ?? '']),
    deleted?.receipt_id ?? 'none',
    'does not open',
  );
});

test('rows of a read model: one too many, one changed, one missing', async () => {
  const [memory] = ids;
  const named = new RegExp(`id ${memory} of the table memories`);
  await finds(
    ['memories'],
    () =>
      store.sql(
        `insert into memories select (jsonb_populate_record(m, '{"id": "00000000-0000-4000-8000-000000000000", "content_hash": "x"}')).* from memories m limit 1`,
      ),
    'id 00000000-0000-4000-8000-000000000000 of the table memories should not be there',
  );
  await finds(
    ['memories'],
    () => store.sql(`update memories set size = size + 1 where id = $1`, [memory ?? '']),
    named,
    'differs',
  );
  // Equal for jsonb, not the same.
  await finds(
    ['memories'],
    () => store.sql(`update memories set metadata = '{"n": 0, "x": 1.00}' where id = $1`, [memory ?? '']),
    named,
    'differs',
  );
  await finds(['memories'], () => store.sql(`delete from memories where id = $1`, [memory ?? '']), named, 'is missing');
});

test('the search index: a word, a posting, a vector, a code, a document', async () => {
  const damages = {
    search_texts: `update search_texts set words = words || 'extra:1'::tsvector where memory_id = '${ids[0]}'`,
    search_postings: `update search_postings set entries = set_byte(entries, 3, case get_byte(entries, 3) when 9 then 8 else 9 end)
      where bucket = (select min(bucket) from search_postings)`,
    search_vectors: `update search_vectors set embedding = embedding + embedding where memory_id = '${ids[0]}'`,
    search_codes: `update search_codes set entries = set_byte(entries, 5, case get_byte(entries, 5) when 0 then 1 else 0 end)`,
    search_documents: `delete from search_documents where memory_id = '${ids[0]}'`,
    search_namespaces: 'update search_namespaces set length = length + 1',
    search_recent: `insert into search_recent values ('00000000-0000-4000-8000-000000000000', 1, '', '')`,
  };
  for (const [table, damage] of Object.entries(damages))
    await finds([table], () => store.sql(damage), `table ${table}`);
});

test('jobs: two, and one of no one', async () => {
  const [memory] = ids;
  const copy = (changes: string) => () =>
    store.sql(
      `insert into jobs select (jsonb_populate_record(j, '{"job_id": "00000000-0000-4000-8000-000000000000"${changes}}')).* from jobs j where memory_id = $1`,
      [memory ?? ''],
    );
  await finds(['jobs'], copy(''), `${memory}`, 'has 2 jobs');
  await finds(
    ['jobs'],
    copy(', "memory_id": "00000000-0000-4000-8000-000000000001"'),
    /job 0{8}-.*belongs to no memory/,
  );
});

test('writes and deletes that continue are not taken for faults', async () => {
  let checking = true;
  const writer = (async () => {
    for (let i = 0; checking; i += 1) {
      await store.add(caller, `written during the check ${i}`);
      const old = ids.pop();
      if (old) await store.remove(caller, old);
    }
  })();
  for (let i = 0; i < 3; i += 1) expect((await check()).faults).toBeNull();
  checking = false;
  await writer;
});

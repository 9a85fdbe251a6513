import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../src/database/database.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { faultsOf } from '../../../maintenance/faults-of.js';
import { fill, model, newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
let caller: Caller;
let ids: string[];
let id: string;
beforeAll(async () => {
  store = await newStore();
  ({ caller, ids } = await fill(store));
  id = ids[0] ?? '';
  await store.add(caller, `${'a text of several parts. '.repeat(3000)} 記憶は台帳である。`);
  await store.ingest();
}, 60_000);
afterAll(() => store.close());

const check = (over: Database = store.database) => faultsOf(model('search'), over);

/** Breaks one table with `damage`, expects the fault, and puts back what was there. */
async function finds(table: string, damage: string, fault: RegExp) {
  await store.sql(`create table saved as select * from ${table}`);
  try {
    await store.sql(damage);
    expect(await check()).toMatch(fault);
  } finally {
    await store.sql(`delete from ${table}`);
    await store.sql(`insert into ${table} select * from saved`);
    await store.sql('drop table saved');
  }
  expect(await check()).toBeNull();
}

test('it is compared without a single write', async () => {
  const reading: Database = {
    ...store.database,
    transaction: () => Promise.reject(new Error('this may write')),
    maintain: () => Promise.reject(new Error('this may write')),
  };
  expect(await check(reading)).toBeNull();
});

const named = (key: string, table: string, end: string) =>
  new RegExp(`^The row with ${key} of the table ${table} ${end}`);
const number = '-?\\d+';
const [missing, orphan, different] = ['is missing', 'should not be there', 'differs'];

test('documents: none, one of no one, one that stands elsewhere, one of another length', async () => {
  const [table, other] = ['search_documents', '00000000-0000-4000-8000-000000000000'];
  const of = (name: string, end: string) => named(`memory_id ${name}`, table, end);
  await finds(table, `delete from ${table} where memory_id = '${id}'`, of(id, missing));
  const copied = (memory: string) =>
    `insert into ${table} select ${memory}, namespace_id, seq + 1000000, length, asks, says_when, who, model from ${table} where memory_id = '${id}'`;
  await finds(table, copied(`'${other}'`), of(other, orphan));
  await finds(table, `update ${table} set seq = seq + 1000000 where memory_id = '${id}'`, of(id, different));
  await finds(table, `update ${table} set namespace_id = '${other}' where memory_id = '${id}'`, of(id, different));
  await finds(table, `update ${table} set length = length + 1 where memory_id = '${id}'`, of(id, different));
});

test.each([
  'asks = not asks',
  'says_when = not says_when',
  'who = coalesce(who, 0) + 1',
])('facts of documents: %s', async (damage) => {
  const table = 'search_documents';
  const fault = named(`memory_id ${id}`, table, different);
  await finds(table, `update ${table} set ${damage} where memory_id = '${id}'`, fault);
});

test('documents of memories that are not ready', async () => {
  await store.sql('create table saved as select * from jobs');
  await store.sql(`update jobs set stage = 'queued' where memory_id = $1`, [id]);
  expect(await check()).toMatch(named(`memory_id ${id}`, 'search_documents', orphan));
  await store.sql('delete from jobs');
  await store.sql('insert into jobs select * from saved');
  await store.sql('drop table saved');
});

test('words: of a short text, of parts of a long one, of no one', async () => {
  const table = 'search_texts';
  const of = (key: string, end: string) => named(key, table, end);
  await finds(table, `delete from ${table} where memory_id = '${id}'`, of(`memory_id ${id}, part 0`, missing));
  await finds(
    table,
    `update ${table} set words = setweight(words, 'B') where memory_id = '${id}'`,
    of(`memory_id ${id}, part 0`, different),
  );
  await finds(
    table,
    `insert into ${table} select memory_id, 7, words from ${table} where memory_id = '${id}'`,
    of(`memory_id ${id}, part 7`, orphan),
  );
  await finds(table, `delete from ${table} where part = 1`, of('memory_id \\S+, part 1', missing));
  await finds(
    table,
    `update ${table} set words = words || 'more:1' where part = 1`,
    of('memory_id \\S+, part 1', different),
  );
  await finds(
    table,
    `insert into ${table} values ('00000000-0000-4000-8000-000000000000', 0, 'more:1')`,
    of('memory_id 0{8}-\\S+, part 0', orphan),
  );
});

test('postings: one less, one more in a list, a list of no one, an empty one', async () => {
  const table = 'search_postings';
  const of = (end: string) => named(`bucket ${number}, block ${number}`, table, end);
  const some = `(bucket, block) in (select bucket, block from ${table} order by octet_length(entries) desc, bucket limit 1)`;
  await finds(table, `delete from ${table} where ${some}`, of(missing));
  await finds(table, `update ${table} set entries = substr(entries, 9) where ${some}`, of(different));
  await finds(table, `update ${table} set entries = entries || substr(entries, 1, 8) where ${some}`, of(different));
  const copied = (bucket: string, block: string, entries: string) =>
    `insert into ${table} select ${bucket}, ${block}, ${entries} from ${table} where ${some}`;
  await finds(table, copied('12345', 'block', 'entries'), named('bucket 12345, block 0', table, orphan));
  await finds(table, copied('-12345', 'block', 'entries'), named('bucket -12345, block 0', table, orphan));
  await finds(table, copied('bucket', 'block + 1', 'entries'), named(`bucket ${number}, block 1`, table, orphan));
  await finds(table, copied('1', 'block', "''"), named('bucket 1, block 0', table, orphan));
});

test('vectors and codes: one less, one more, one of no one', async () => {
  const [vectors, codes] = ['search_vectors', 'search_codes'];
  const of = (end: string) => named(`space ${number}, seq ${number}, ordinal ${number}`, vectors, end);
  await finds(vectors, `delete from ${vectors} where memory_id = '${id}'`, of(missing));
  await finds(vectors, `update ${vectors} set ordinal = 9 where memory_id = '${id}'`, of(missing));
  const copied = (seq: string, memory: string) =>
    `insert into ${vectors} select space, ${seq}, 9, ${memory}, embedding from ${vectors} where memory_id = '${id}'`;
  await finds(vectors, copied('seq', 'memory_id'), of(orphan));
  await finds(vectors, copied('seq + 1000000', `'00000000-0000-4000-8000-000000000000'`), of(orphan));
  const code = (end: string) => named(`space ${number}, block ${number}`, codes, end);
  await finds(codes, `delete from ${codes}`, code(missing));
  await finds(codes, `update ${codes} set entries = substr(entries, 130)`, code(different));
  await finds(codes, `insert into ${codes} select space, 999, entries from ${codes} limit 1`, code(orphan));
  await finds(codes, `insert into ${codes} select 5, block, entries from ${codes} limit 1`, code(orphan));
});

test('namespaces: not counted, counted wrongly, or empty', async () => {
  const table = 'search_namespaces';
  const of = (end: string) => named('namespace_id \\S+', table, end);
  await finds(table, `delete from ${table}`, of(missing));
  await finds(table, `update ${table} set documents = documents + 1`, of(different));
  await finds(table, `insert into ${table} values ('00000000-0000-4000-8000-000000000000', 0, 0, 0)`, of(orphan));
});

test('the newest documents: one less, another one, one of no one, one that is in blocks', async () => {
  await store.addFound(caller, 'the newest of all, with words that no other has');
  expect(await check()).toBeNull();
  const [recent, namespaces] = ['search_recent', 'search_namespaces'];
  const of = (end: string) => named('namespace_id \\S+, seq \\d+', recent, end);
  await finds(recent, `delete from ${recent}`, of(missing));
  await finds(recent, `update ${recent} set postings = substr(postings, 9)`, of(different));
  await finds(recent, `update ${recent} set codes = substr(codes, 1, 40) || substr(codes, 42) || 'x'`, of(different));
  await finds(recent, `update ${recent} set codes = substr(codes, 1, 9)`, of(different));
  await finds(recent, `update ${recent} set seq = seq + 1`, of(orphan));
  await finds(recent, `insert into ${recent} values ('00000000-0000-4000-8000-000000000000', 5, '', '')`, of(orphan));
  await finds(namespaces, `update ${namespaces} set sealed = sealed + 1000`, of(orphan));
  await finds(namespaces, `update ${namespaces} set sealed = 0`, of(missing));
});

test('a table that is not there', async () => {
  await store.sql('alter table search_codes rename to hidden');
  expect(await check()).toBe('The table search_codes is missing.');
  await store.sql('alter table hidden rename to search_codes');
});

test('memories that come, move and go meanwhile are not taken for faults', async () => {
  let checking = true;
  const writer = (async () => {
    for (let i = 0; checking; i += 1) {
      await store.add(caller, `word${i} of its own, written during the check`);
      await store.ingest();
      const old = ids.pop();
      if (old) await store.remove(caller, old);
      const found = await store.addFound(caller, `word${i} of its own, found at once`);
      if (i % 3 === 0) await store.remove(caller, found);
    }
  })();
  for (let i = 0; i < 5; i += 1) expect(await check()).toBeNull();
  checking = false;
  await writer;
  expect(await check()).toBeNull();
});

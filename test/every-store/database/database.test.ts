import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import type { Database, OpenedDatabase } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/migrate.js';
import { openDatabase, type Store } from '../../../src/database/open.js';
import { prepareModels } from '../../../src/maintenance/prepare-models.js';
import { rebuildables } from '../../../src/maintenance/rebuildable.js';
import { newStoreAddress } from '../../support/new-store.js';
import { onServer, stores } from '../../support/stores.js';

describe.each(stores)('database adapter on %s', () => {
  let database: OpenedDatabase;
  let store: Store;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ store, remove } = await newStoreAddress());
    database = await openDatabase(store);
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });
  const one = async (
    sql: string,
    params: Parameters<Parameters<Parameters<Database['read']>[0]>[0]['query']>[1] = [],
  ) => {
    const [row] = await database.read((tx) => tx.query(sql, params));
    return row;
  };

  it('gives the same values no matter the driver', async () => {
    const row = await one(
      `select 2::int2 as small, 9007199254740991::int8 as big, 1.50::numeric as exact, 0.25::float8 as real, true as flag,
              'é\u{1f600}' as text, '{"b":1.0,"a":[]}'::jsonb as json, decode('00ff', 'hex') as bytes, null::text as nothing,
              '2026-01-02 03:04:05.678+02'::timestamptz as at, '{1,2,NULL}'::int8[] as bigs, '{a,"b c"}'::text[] as texts,
              '00000000-0000-4000-8000-00000000000a'::uuid as id, '{}'::int8[] as none`,
    );
    expect(row).toEqual({
      small: 2,
      big: Number.MAX_SAFE_INTEGER,
      exact: '1.50',
      real: 0.25,
      flag: true,
      text: 'é\u{1f600}',
      json: '{"a": [], "b": 1.0}',
      bytes: Buffer.from([0, 255]),
      nothing: null,
      at: '2026-01-02T01:04:05.678Z',
      bigs: [1, 2, null],
      texts: ['a', 'b c'],
      id: '00000000-0000-4000-8000-00000000000a',
      none: [],
    });
  });

  it('does not run what is requested after a transaction has ended', async () => {
    await database.transaction((tx) => tx.query('create table late (n int)'));
    const late: Promise<unknown>[] = [];
    const failing = database.transaction(async (tx) => {
      const slow = tx.query('select 1').then(async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await tx.query('insert into late values (1)');
      });
      late.push(slow);
      await Promise.all([slow, tx.query('insert into late values (2)'), Promise.reject(new Error('of the caller'))]);
    });
    await expect(failing).rejects.toThrow('of the caller');
    await expect(late[0]).rejects.toThrow('the transaction has ended');
    expect(await one('select count(*) from late')).toEqual({ count: 0 });
    await database.transaction((tx) => tx.query('drop table late'));
  });

  it('commits rows without waiting for their answer, all or none of them', async () => {
    await database.transaction((tx) => tx.query('create table sent (n int primary key)'));
    const add = 'insert into sent select * from unnest($1::int[])';
    const addMore = 'insert into sent select n from unnest($1::int[]) more(n)';
    await database.transaction(async (tx) => {
      void tx.write(add, [[1]]);
      void tx.write(addMore, [[2, 3]]);
    });
    const failing = database.transaction(async (tx) => {
      await Promise.all([tx.write(add, [[4]]), tx.write(addMore, [[1]])]);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    const left: Promise<unknown>[] = [];
    const ended = database.transaction(async (tx) => {
      left.push(tx.write(add, [[5]]).catch((error: Error) => error.message));
      throw new Error('of the caller');
    });
    await expect(ended).rejects.toThrow('of the caller');
    expect(await left[0]).toBe('the transaction has ended');
    expect(await one('select array_agg(n order by n) as all from sent')).toEqual({ all: [1, 2, 3] });
    await database.transaction((tx) => tx.query('drop table sent'));
  });

  it('reads without a transaction, and writes nothing then', async () => {
    const rows = await database.readEach(async (tx) => [
      await tx.query('select $1::int as n', [7]),
      ...(await Promise.all([tx.query('select 8 as n'), tx.query('select 9 as n')])),
    ]);
    expect(rows).toEqual([[{ n: 7 }], [{ n: 8 }], [{ n: 9 }]]);
    const write = database.readEach((tx) => tx.write('create table never (n int)', []));
    await expect(write).rejects.toThrow('it writes nothing');
    expect(await one(`select to_regclass('never')::text as name`)).toEqual({ name: null });
  });

  it('is as it was after a statement without a transaction has failed', async () => {
    const failing = database.readEach((tx) => Promise.all([tx.query('select 1 / 0'), tx.query('select 1 as n')]));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await one('select 1 as n')).toEqual({ n: 1 });
    let later: Promise<unknown> | undefined;
    await database.readEach(async (tx) => {
      setTimeout(() => {
        later = tx.query('select 1').catch((error: Error) => error.message);
      });
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await later).toBe('the transaction has ended');
  });

  it('reads in one statement what is asked in one moment, with the same values as alone', async () => {
    const sql = `select n, n * 1e15::bigint as big, 'ä"\\' || n as text, n > 1 as more, null::text as none, array['a', null] as list
                   from generate_series(1, $1::int) n order by n desc`;
    const alone = await database.read((tx) => tx.select(sql, [2]));
    expect(alone).toEqual([
      { n: 2, big: 2e15, text: 'ä"\\2', more: true, none: null, list: ['a', null] },
      { n: 1, big: 1e15, text: 'ä"\\1', more: false, none: null, list: ['a', null] },
    ]);
    for (const read of [database.read, database.readEach, database.transaction]) {
      const found = await read((tx) =>
        Promise.all([
          tx.select(sql, [2]),
          tx.select('select $1::text as t where false', ['x']),
          tx.select('select $1::text as t', ['y']),
        ]),
      );
      expect(found).toEqual([alone, [], [{ t: 'y' }]]);
    }
    const failing = database.read((tx) => Promise.all([tx.select('select 1 / 0', []), tx.select('select 1', [])]));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
  });

  it('runs one statement as a transaction of its own, on a server', async () => {
    const { statement } = database;
    expect(statement !== null).toBe(onServer);
    if (statement === null) return;
    await database.maintain('create table one_statement (n integer primary key)');
    const insert = (n: number) => statement('insert into one_statement values ($1) returning n', [n]);
    expect(await insert(1)).toEqual([{ n: 1 }]);
    await expect(insert(1)).rejects.toMatchObject({ code: '23505' });
    expect(await Promise.all([insert(2), insert(3)])).toEqual([[{ n: 2 }], [{ n: 3 }]]);
    expect(await database.read((tx) => tx.query('select count(*) as n from one_statement'))).toEqual([{ n: 3 }]);
    await database.maintain('drop table one_statement');
  });

  it('takes the same values, bytes and lists among them', async () => {
    const row = await one(
      'select $1::bytea as bytes, $2::text[] as texts, $3::int8 as n, $4::boolean as flag, $5::text as nothing',
      [Uint8Array.of(0, 1, 255), ['a"b', 'c\\d', '{e}'], 2 ** 40, false, null],
    );
    expect(row).toEqual({
      bytes: Buffer.from([0, 1, 255]),
      texts: ['a"b', 'c\\d', '{e}'],
      n: 2 ** 40,
      flag: false,
      nothing: null,
    });
  });

  it('refuses a number that JavaScript would round', async () => {
    await expect(one('select 9007199254740993::int8 as n')).rejects.toThrow('does not fit');
    expect(await one('select 1 as n')).toEqual({ n: 1 });
  });

  it('keeps all of a transaction or nothing, and continues after an error', async () => {
    await database.transaction((tx) => tx.query('create table kept (n int primary key)'));
    await database.transaction((tx) => tx.query('insert into kept values (1)'));
    await expect(
      database.transaction(async (tx) => {
        await tx.query('insert into kept values (2)');
        await tx.query('insert into kept values (1)');
      }),
    ).rejects.toMatchObject({ code: '23505' });
    await expect(
      database.transaction(async (tx) => {
        await tx.query('insert into kept values (3)');
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await database.read((tx) => tx.query('select n from kept'))).toEqual([{ n: 1 }]);
  });

  it('takes statements that do not wait for each other, and fails them all with the first', async () => {
    await database.transaction((tx) => tx.query('create table many (n int primary key)'));
    await database.transaction((tx) =>
      Promise.all(Array.from({ length: 50 }, (_, n) => tx.query('insert into many values ($1)', [n]))),
    );
    await expect(
      database.transaction((tx) => Promise.all([60, 1, 61].map((n) => tx.query('insert into many values ($1)', [n])))),
    ).rejects.toMatchObject({ code: '23505' });
    expect(await one('select count(*) as n from many')).toEqual({ n: 50 });
  });

  it('does not write in a transaction that only reads', async () => {
    await expect(database.read((tx) => tx.query('create table never (n int)'))).rejects.toMatchObject({
      code: '25006',
    });
  });

  it('makes the tables of the migrations once, and says when they do not fit', async () => {
    await migrate(database);
    await migrate(database);
    const directory = mkdtempSync(join(tmpdir(), 'counterfoil-migrations-'));
    writeFileSync(join(directory, '0001_ledger.sql'), 'create table other (n int);');
    await expect(migrate(database, directory)).rejects.toThrow('0001_ledger.sql was edited');
    rmSync(join(directory, '0001_ledger.sql'));
    await expect(migrate(database, directory)).rejects.toThrow('which this version does not know');
    rmSync(directory, { recursive: true });
  });

  it('has the schema that is written down', async () => {
    await prepareModels(database, rebuildables(lexicalEmbedder()), { info: () => undefined });
    const columns = await database.read((tx) =>
      tx.query<{ line: string }>(
        `select table_name || '.' || column_name || ' ' || udt_name || case is_nullable when 'NO' then ' not null' else '' end
                || coalesce(' default ' || column_default, '') as line
           from information_schema.columns where table_schema = 'public' and table_name not in ('kept', 'many', 'durability')
          order by table_name, ordinal_position`,
      ),
    );
    const indexes = await database.read((tx) =>
      tx.query<{ line: string }>(
        `select indexdef as line from pg_indexes where schemaname = 'public' and tablename not in ('kept', 'many', 'durability')
          order by tablename, indexname`,
      ),
    );
    const lines = [...columns, ...indexes].map(({ line }) => line);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../database/schema.txt');
  });
});

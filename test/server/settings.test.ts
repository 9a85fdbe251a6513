import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireDurable, requireHash } from '../../src/database/fitness.js';
import { openServer } from '../../src/database/server.js';
import { type Service, startService } from '../http/service.js';
import { databaseOn, dropDatabase, freshDatabase, onMaintenanceDatabase } from '../support/fresh-database.js';
import { preparedDatabase } from '../support/prepared-store.js';

const set = (url: string, ...settings: readonly string[]) =>
  onMaintenanceDatabase(async (query) => {
    await query(`alter role postgres in database ${databaseOn(url)} reset all`);
    for (const setting of settings) await query(`alter role postgres in database ${databaseOn(url)} set ${setting}`);
  });

const withDatabase = async (how: string, work: (url: string) => Promise<unknown>) => {
  const url = await freshDatabase(how);
  await work(url).finally(() => dropDatabase(url));
};

const relations = async (url: string): Promise<unknown> => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "select relname from pg_class where relnamespace::regnamespace::text !~ '^(pg_|information_schema)' order by 1",
  );
  await client.end();
  return rows;
};

describe('a store whose database or role has other settings', () => {
  let url: string;
  const paths = [
    '/v1/memories',
    '/v1/memories?q=%C3%A4rger',
    '/v1/memories/export',
    '/v1/receipts',
    '/v1/namespaces',
    '/v1/ingest',
    '/v1/usage',
  ];
  const answers = async (service: Service) => {
    const texts = await Promise.all(paths.map(async (path) => (await service.call('GET', path)).text));
    return texts.map((text) => text.replaceAll(/"next_cursor":"[^"]+"/g, ''));
  };
  const found = async (service: Service) => {
    const { status, json } = await service.call('POST', '/v1/memories/search', { query: 'ärger mit dem Zoll' });
    return {
      status,
      hits: json.data.map(({ content, score, created_at }: { content: string; score: number; created_at: string }) => [
        content,
        score,
        created_at,
      ]),
    };
  };
  let [read, searched]: [readonly string[], unknown] = [[], null];
  beforeAll(async () => {
    url = await preparedDatabase();
    const service = await startService({ DATABASE_URL: url });
    for (const content of ['ÄRGER MIT DEM ZOLL', "a quote ' and a backslash \\n", '第三章 ✈️'])
      await service.call('POST', '/v1/memories', { content, metadata: { price: 0.1 } });
    await service.settled();
    searched = await found(service);
    read = await answers(service);
    await service.stop();
  });
  afterAll(() => dropDatabase(url));

  it.each([
    ["DateStyle = 'SQL, DMY'"],
    ["DateStyle = 'German'", "TimeZone = 'Asia/Kolkata'"],
    ["IntervalStyle = 'sql_standard'", "bytea_output = 'escape'", 'extra_float_digits = -15'],
    [
      'standard_conforming_strings = off',
      'array_nulls = off',
      'transform_null_equals = on',
      'quote_all_identifiers = on',
    ],
    [
      'default_transaction_read_only = on',
      "default_transaction_isolation = 'serializable'",
      'default_transaction_deferrable = on',
    ],
    [
      // Shorter than a start needs, and long enough for a busy machine to send the statement that changes them.
      "statement_timeout = '25ms'",
      "lock_timeout = '1ms'",
      "idle_in_transaction_session_timeout = '1ms'",
      "idle_session_timeout = '500ms'",
    ],
    [
      "client_encoding = 'LATIN1'",
      "default_text_search_config = 'german'",
      'gin_fuzzy_search_limit = 1',
      'row_security = off',
    ],
    ['synchronous_commit = off', 'search_path = public, pg_catalog'],
  ])('gives the same answers with %s', async (...settings) => {
    await set(url, ...settings);
    const service = await startService({ DATABASE_URL: url });
    expect(await answers(service)).toEqual(read);
    expect(await found(service)).toEqual(searched);
    const [row] = await service.app.database.read((tx) =>
      tx.query<{ at: string }>("select current_setting('synchronous_commit') as at"),
    );
    expect(row?.at).toBe('on');
    await service.stop();
    // What the search has recorded is in the lists of the next one.
    const again = await set(url).then(() => startService({ DATABASE_URL: url }));
    read = await answers(again);
    await again.stop();
  });

  it.each([
    ["search_path = 'elsewhere'", 'is in the schema public, and the search_path of postgres leads to elsewhere'],
    ["search_path = 'missing'", 'leads to no schema'],
    ["session_replication_role = 'replica'", 'references between tables are not checked'],
  ])('does not start with %s, and is as it was', async (setting, sentence) => {
    await set(url);
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create schema if not exists elsewhere');
    await client.end();
    const before = await relations(url);
    await set(url, setting);
    await expect(openServer(url)).rejects.toThrow(sentence);
    expect(await relations(url)).toEqual(before);
  });
});

it.each([
  ["template0 encoding 'LATIN1' locale 'C'", 'has the encoding LATIN1'],
  ["template0 encoding 'SQL_ASCII' locale 'C'", 'has the encoding SQL_ASCII'],
  ["template0 encoding 'UTF8' locale 'C'", 'has the character type C'],
])('a database from %s is refused with the command that makes another one, and stays empty', async (how, sentence) => {
  await withDatabase(how, async (url) => {
    const start = openServer(url);
    await expect(start).rejects.toThrow(sentence);
    await expect(start).rejects.toThrow(
      "create database counterfoil template template0 encoding 'UTF8' locale 'C.UTF-8'",
    );
    expect(await relations(url)).toEqual([]);
  });
});

it('a server that hashes texts in another way is refused', () => {
  expect(() => requireHash('1')).toThrow('Use a server whose processor is little-endian');
});

it('pgvector in a schema off the search path is found', async () => {
  await withDatabase('template0', async (url) => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create schema extensions; create extension vector schema extensions');
    await client.end();
    const service = await startService({ DATABASE_URL: url });
    expect((await service.call('POST', '/v1/memories', { content: 'a vector elsewhere' })).status).toBe(202);
    await service.settled();
    expect((await service.call('POST', '/v1/memories/search', { query: 'vector elsewhere' })).json.data).toHaveLength(
      1,
    );
    await service.stop();
  });
});

it('a role that may not use the schema of pgvector is refused, and the database stays empty', async () => {
  await withDatabase('template0', async (url) => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const role = databaseOn(url);
    await client.query(
      `create schema extensions; create extension vector schema extensions; create role ${role} login; grant all on schema public to ${role}`,
    );
    const before = await relations(url);
    const address = new URL(url);
    address.username = role;
    await expect(openServer(address.toString())).rejects.toThrow(`grant usage on schema extensions to ${role}`);
    expect(await relations(url)).toEqual(before);
    await client.query(`drop owned by ${role}; drop role ${role}`);
    await client.end();
  });
});

it('a server that does not keep what it has committed is refused, at a start and by each new connection', () => {
  const facts = {
    fsync: 'on',
    full_page_writes: 'on',
    session_replication_role: 'origin',
    own_schema: 'public',
    schema: 'public',
  };
  expect(() => requireDurable(facts)).not.toThrow();
  expect(() => requireDurable({ ...facts, fsync: 'off' })).toThrow('has fsync = off');
  expect(() => requireDurable({ ...facts, full_page_writes: 'off' })).toThrow('has full_page_writes = off');
});

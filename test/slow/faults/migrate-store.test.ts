import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realWorld } from '../../../src/base/world.js';
import { createKey } from '../../../src/commands/keys.js';
import type { Database, Transaction } from '../../../src/database/database.js';
import { migrate } from '../../../src/database/migrate.js';
import { openDatabase } from '../../../src/database/open.js';
import { keyHash } from '../../../src/domain/secrets.js';
import { copyStore, requireEmpty } from '../../../src/maintenance/copy-store.js';
import { prepareModels } from '../../../src/maintenance/prepare-models.js';
import { bare, program } from '../../faults/service-process.js';
import { apiKey, type Service, startService } from '../../http/service.js';
import { fill, models, newStore } from '../../maintenance/store.js';
import { dropDatabase, freshDatabase } from '../../support/fresh-database.js';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command of the built command line. */
function run(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...program, ...args], { env: { ...bare, ...env } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

/** Everything that a client with a key, and anybody, sees of a store: receipts, the proofs of some, the log. */
async function seen({ call }: Service) {
  const receipts: { receipt_id: string; kind: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json } = await call(
      'GET',
      `/v1/receipts?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    receipts.push(...json.data);
    cursor = json.next_cursor;
  }
  const proven = receipts.filter(({ kind }) => kind === 'memory.write').slice(-5);
  const bundles = [];
  for (const { receipt_id } of proven) bundles.push((await call('GET', `/v1/receipts/${receipt_id}/proof`)).text);
  const log = [(await call('GET', '/v1/ledger/checkpoint')).text, (await call('GET', '/v1/ledger/keys')).text];
  return { receipts, bundles, log, memories: (await call('GET', '/v1/memories?limit=100')).json.data };
}

/** The rows of a table, no matter their order. */
async function rowsOf(database: Database, table: string): Promise<unknown> {
  return database.read((tx) =>
    tx.query(
      `select count(*) as rows, md5(coalesce(string_agg(one::text, ' ' order by one::text collate "C"), '')) as digest
         from ${table} one`,
    ),
  );
}

const kept = { 'idempotency-key': 'kept-through-the-migration' };
const order = { content: 'Sent before the migration, and once more after it.' };

/** Adds a row whose number the database chooses. */
async function addFiring(tx: Transaction): Promise<number | undefined> {
  const person = '0193d3a0-0000-7000-8000-000000000001';
  await tx.query('insert into terminal_accounts values ($1) on conflict do nothing', [person]);
  const [row] = await tx.query<{ position: number }>(
    `insert into firings (id, alert_id, person_id, record, fired_at, mail, run_after)
     values (gen_random_uuid(), $1, $1, '{}', now(), 'none', now()) returning position`,
    [person],
  );
  return row?.position;
}

describe('counterfoil migrate-store', () => {
  let directory: string;
  let target: string;
  let page: string;
  let answered: string;
  let before: Awaited<ReturnType<typeof seen>>;
  let audited: Ended;
  const audit = (origin: string) => run({}, 'audit', `${origin}/v1/ledger`, '--state', join(directory, 'audit.json'));
  const serve = (env: Record<string, string> = {}) =>
    startService({ DATA_DIR: directory, ANCHOR_INTERVAL: '1h', ...env });

  beforeAll(async () => {
    const store = await newStore();
    directory = store.directory;
    const { caller } = await fill(store);
    const named = { name: 'test', scopes: [], namespaces: undefined, user_id: null, agent_id: null, app_id: null };
    await store.run(caller.workspaceId, createKey(realWorld, caller, named, keyHash(apiKey)));
    await store.database.transaction((tx) => addFiring(tx));
    await store.database.close();
    const service = await serve();
    answered = (await service.call('POST', '/v1/memories', order, kept)).text;
    await service.settled();
    // The log takes the chain's head now or with the first round. Otherwise the start on the server might do it.
    const { receipt_id } = (await service.call('GET', `/v1/memories/${JSON.parse(answered).memory_id}`)).json;
    expect((await service.call('GET', `/v1/receipts/${receipt_id}/proof`)).json.checkpoint).toEqual(expect.any(String));
    page = (await service.call('GET', '/v1/memories?limit=3')).json.next_cursor;
    before = await seen(service);
    audited = await audit(service.app.server.listeningOrigin);
    const busy = await run({ DATA_DIR: directory }, 'migrate-store', '--to', await freshTarget());
    expect(busy).toMatchObject({ code: 2, err: expect.stringContaining(`${directory} is in use by process`) });
    await service.stop();
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await dropDatabase(target);
  });

  async function freshTarget(): Promise<string> {
    target ??= await freshDatabase();
    return target;
  }

  it('refuses a database in which there is something, and leaves it alone', async () => {
    const url = await freshDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('create table accounts (id int)');
    const refused = await run({ DATA_DIR: directory }, 'migrate-store', '--to', url);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/^counterfoil: The database is not empty: it has a table accounts\..*\n$/);
    const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`);
    expect(rows).toEqual([{ tablename: 'accounts' }]);
    await client.end();
    await dropDatabase(url);
  });

  it.each([
    ['no address', {}, /^counterfoil: Give the address of the new database/],
    ['a wrong one', { COUNTERFOIL_MIGRATE_TO: 'mysql://x' }, /^counterfoil: Give the address of the new database/],
    [
      'a server that is away',
      { COUNTERFOIL_MIGRATE_TO: 'postgres://u:secret@127.0.0.1:1/x' },
      /cannot be reached.*--to/,
    ],
    [
      'a store elsewhere',
      { COUNTERFOIL_MIGRATE_TO: 'postgres://127.0.0.1/x', DATABASE_URL: 'postgres://127.0.0.1/y' },
      /DATABASE_URL is set/,
    ],
    [
      'no store',
      { COUNTERFOIL_MIGRATE_TO: 'postgres://127.0.0.1/x', DATA_DIR: '/nowhere' },
      /There is no store in \/nowhere/,
    ],
  ])('says in a sentence what is wrong: %s', async (_what, env, sentence) => {
    const { code, err } = await run({ DATA_DIR: directory, ...env }, 'migrate-store');
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toContain('secret');
    expect(code).toBe(2);
  });

  it('leaves an empty database when it is broken off, and takes it the next time', async () => {
    const from = await openDatabase({ kind: 'embedded', dataDir: directory });
    const to = await openDatabase({ kind: 'server', url: await freshTarget() });
    await migrate(to);
    await prepareModels(to, models, { info: () => undefined });
    const half = copyStore(from, to, (done, total) => {
      if (done > total / 2) throw new Error('broken off');
    });
    await expect(half).rejects.toThrow('broken off');
    await requireEmpty(to);
    await Promise.all([from.close(), to.close()]);
    const { code, out, err } = await run({ DATA_DIR: directory }, 'migrate-store', '--to', target);
    // Progress is shown to a terminal, and otherwise of what takes long.
    expect(err).toBe('');
    expect(out).toMatch(/^\d+ rows were copied\. The store in \S+ is as it was\.\n/);
    expect(code).toBe(0);
    const again = await run({ DATA_DIR: directory }, 'migrate-store', '--to', target);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('holds a store already') });
  });

  it('that was killed leaves a database that no start takes for a store, until the command has ended', async () => {
    const url = await freshDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const isThere = async (table: string) =>
      (await client.query('select to_regclass($1) is not null as is', [table])).rows[0].is;
    const env = { ...bare, DATA_DIR: directory };
    const copying = execFile(process.execPath, [...program, 'migrate-store', '--to', url], { env });
    const killed = new Promise((resolve) => copying.once('exit', resolve));
    while (!(await isThere('chains'))) await new Promise((resolve) => setTimeout(resolve, 20));
    copying.kill('SIGKILL');
    await killed;
    const elsewhere = mkdtempSync(join(tmpdir(), 'counterfoil-other-'));
    const sentence = /^counterfoil: counterfoil migrate-store has begun .* run it again: .* Nothing was changed\.\n$/;
    const other = { DATA_DIR: elsewhere, DATABASE_URL: url, PORT: '0' };
    expect(await run(other, 'serve')).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
    expect(await run(other, 'fsck')).toMatchObject({ code: 2, err: expect.stringMatching(sentence) });
    expect((await client.query('select 1 from chains')).rows).toEqual([]);
    expect(await run({ DATA_DIR: directory }, 'migrate-store', '--to', url)).toMatchObject({ code: 0, err: '' });
    expect(await isThere('unfinished_copy')).toBe(false);
    expect(await run(other, 'fsck')).toMatchObject({ code: 0 });
    await client.end();
    rmSync(elsewhere, { recursive: true, force: true });
    await dropDatabase(url);
  });

  it('has copied every table row by row', async () => {
    const from = await openDatabase({ kind: 'embedded', dataDir: directory });
    const to = await openDatabase({ kind: 'server', url: target });
    const tables = await to.read((tx) =>
      tx.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`),
    );
    const own = ['leases', 'rate_limits'];
    const names = tables.map(({ name }) => name).filter((name) => !own.includes(name));
    expect(names).toEqual(expect.arrayContaining(['entries', 'vault', 'sessions', 'secrets', 'webhooks', 'answers']));
    for (const name of names)
      expect({ name, rows: await rowsOf(to, name) }).toEqual({ name, rows: await rowsOf(from, name) });
    expect(await to.transaction(addFiring)).toBe(2);
    await Promise.all([from.close(), to.close()]);
  });

  it('is the same store to those who use it, prove with it and follow its log', async () => {
    expect(await run({ DATA_DIR: directory, DATABASE_URL: target }, 'fsck')).toMatchObject({
      code: 0,
      out: expect.stringContaining('No fault in'),
    });
    const service = await serve({ DATABASE_URL: target });
    const { call, app } = service;
    expect(await seen(service)).toEqual(before);
    expect((await call('POST', '/v1/memories', order, kept)).text).toBe(answered);
    expect((await call('GET', `/v1/memories?limit=3&cursor=${encodeURIComponent(page)}`)).status).toBe(200);
    expect(audited).toMatchObject({ code: 0 });
    await call('POST', '/v1/memories', { content: 'Written after the migration.' });
    await service.settled();
    const found = (await call('POST', '/v1/memories/search', { query: 'written after the migration' })).json;
    expect(found.data[0].content).toBe('Written after the migration.');
    // A proof of the new receipt makes the log grow.
    expect((await call('GET', `/v1/receipts/${found.data[0].receipt_id}/proof`)).status).toBe(200);
    const later = await audit(app.server.listeningOrigin);
    expect({ ...later, err: '' }).toMatchObject({ code: 0, out: expect.not.stringContaining('first visit') });
    await service.stop();
    expect(await run({ DATA_DIR: directory, DATABASE_URL: target }, 'fsck')).toMatchObject({ code: 0 });
  });
});

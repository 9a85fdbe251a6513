import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/open.js';
import { requirePreparable } from '../../src/maintenance/prepared/fitness.js';
import { bare, program } from '../faults/service-process.js';
import { type Service, startService } from '../http/service.js';
import { databaseOn, dropDatabase, freshDatabase, onMaintenanceDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';

let url: string;
let service: Service;
let client: pg.Client;
beforeAll(async () => {
  url = await freshDatabase();
  service = await startService({ DATABASE_URL: url });
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
  await dropDatabase(url);
});

const sql = async (statement: string) => (await client.query(statement)).rows;

/** A command of the built command line, which can be killed. */
function run(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [...program, 'prepare', ...args], { env: { ...bare, ...env } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    said.out += data;
  });
  child.stderr.on('data', (data) => {
    said.err += data;
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...said })),
  );
  return { ended, kill: () => child.kill('SIGKILL') };
}

/** Whether a process waits for the lock between erasures and those who copy texts. */
const waits = async () =>
  (await sql(`select 1 from pg_locks where locktype = 'advisory' and objid = 4201703 and not granted`)).length > 0;

it('prepares while a service serves: one at a time, again after kill -9, and nothing is left of what is deleted', async () => {
  const { call } = service;
  const add = async (content: string) =>
    (await call('POST', '/v1/memories', { content, metadata: { berth: content } })).json.memory_id;
  const [stays, goes] = [await add('the crane of the harbour'), await add('quay seventeen')];
  await service.settled();
  await sql(`update projections set version = version - 1 where name in ('memory', 'receipts')`);
  await sql('begin');
  await sql('select pg_advisory_xact_lock_shared(4201703)');
  const killed = run({ DATABASE_URL: url });
  await until(waits);
  const second = await run({ DATABASE_URL: url }).ended;
  expect(second).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^counterfoil: Another counterfoil prepare is running on this store\./),
  });
  killed.kill();
  await killed.ended;
  await sql('commit');
  const { code, out, err } = await run({ DATABASE_URL: url }).ended;
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^Prepared: memory, receipts \(\d+ .*B\)\.\nNow stop every process of the old version/);
  expect(await sql('select id from prepared_models.memories order by id')).toEqual(
    [stays, goes].sort().map((id) => ({ id })),
  );
  // A batch that holds the text and has not committed yet: the deletion waits for it.
  await sql('begin');
  await sql('select pg_advisory_xact_lock(4201703)');
  await sql('update prepared_models.memories set updated_at = now()');
  const deleting = call('DELETE', `/v1/memories/${goes}`);
  await until(waits);
  await sql('commit');
  expect((await deleting).status).toBe(200);
  expect(await sql(`select 1 from prepared_models.memories where metadata::text like '%seventeen%'`)).toEqual([]);
  expect((await run({ DATABASE_URL: url }, '--discard').ended).out).toMatch(
    /^What version \S+ had prepared is removed\./,
  );
  expect(await sql(`select 1 from pg_namespace where nspname = 'prepared_models'`)).toEqual([]);
  await sql(`update projections set version = version + 1 where name in ('memory', 'receipts')`);
  expect((await run({ DATABASE_URL: url }).ended).out).toMatch(/^Nothing has to be prepared/);
});

it('says in a sentence why it cannot prepare, and changes nothing', async () => {
  const role = `${databaseOn(url)}_role`;
  await sql(`create role ${role} login`);
  const other = new URL(url);
  other.username = role;
  const [{ me }] = await sql('select quote_ident(current_user) as me');
  const refusal = (sentence: string) => ({ code: 2, out: '', err: `counterfoil: ${sentence}\n` });
  expect(await run({ DATABASE_URL: other.toString() }).ended).toEqual(
    refusal(
      `The tables of the store belong to the role ${me}, and DATABASE_URL names ${role}. Run this command as the role of the service.`,
    ),
  );
  await onMaintenanceDatabase((query) => query(`drop role ${role}`));
  expect((await run({}).ended).err).toMatch(/^counterfoil: An embedded store admits one process, .* Stop the service/);
  const empty = await freshDatabase();
  expect(await run({ DATABASE_URL: empty }).ended).toEqual(
    refusal('The database holds no store yet. Start the service once.'),
  );
  await dropDatabase(empty);
  await sql(`insert into migrations values ('9999_later.sql', '')`);
  expect((await run({ DATABASE_URL: url }).ended).err).toMatch(/^counterfoil: The database has 9999_later\.sql/);
  await sql(`delete from migrations where name = '9999_later.sql'`);
  expect(await sql(`select 1 from pg_namespace where nspname = 'prepared_models'`)).toEqual([]);
});

it('does not prepare beside a version whose tables a replay would find without their migration', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'migrations-'));
  const database = await openDatabase({ kind: 'server', url });
  try {
    await sql('delete from migrations');
    writeFileSync(
      join(directory, '0001_other.sql'),
      '-- It is no matter of entries or the vault.\ncreate table berths (id uuid);',
    );
    await requirePreparable(database, directory);
    writeFileSync(join(directory, '0002_vault.sql'), 'alter table vault add column berth text;');
    await expect(requirePreparable(database, directory)).rejects.toThrow(
      /^This version cannot be prepared: its migration 0002_vault\.sql names the table vault, .* Stop every process, and start this version\.$/,
    );
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../faults/free-port.js';
import { type OwnPostgres, ownPostgres } from '../../faults/postgres.js';
import { bare, program } from '../../faults/service-process.js';
import { eagerWorld, type Service, startService } from '../../http/service.js';
import { filesIn } from '../../maintenance/files.js';

const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'counterfoil-scrub-'));
let server: OwnPostgres;
let front: Service;
let back: Service;

beforeAll(async () => {
  server = await ownPostgres(await freePort());
  await onServer('alter system set wal_recycle = off', 'select pg_reload_conf()');
  const shared = { DATABASE_URL: server.url, DATA_DIR: directory };
  front = await startService({ ...shared, ROLES: 'http' }, eagerWorld);
  back = await startService({ ...shared, ROLES: 'ingest,webhooks,anchoring,upkeep' }, eagerWorld);
});

afterAll(async () => {
  await front.stop();
  await back.stop();
  await server.remove();
  rmSync(directory, { recursive: true, force: true });
});

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Everything that a scrub says, which ends with this code. */
const scrub = async (code = 0): Promise<string> => {
  const env = { ...bare, DATABASE_URL: server.url, DATA_DIR: directory, LOG_LEVEL: 'error' };
  const ended = await run(process.execPath, [...program, 'scrub'], { env }).catch((error) => error);
  expect(ended.code ?? 0).toBe(code);
  return ended.stdout;
};

/** Short enough to be in its row, long enough to be stored outside of it, and too varied to be compressed away. */
const long = Array.from({ length: 3000 }, (_, i) => `secretlong${(i * 7919) % 10007}`).join(' ');
const needles = new Map(
  ['secretcontent', 'secretlong', 'secretsource', 'secretmetadata'].map((word) => [word, Buffer.from(word)]),
);

/** @param between is done before anything is deleted */
async function writeAndDelete(between: () => Promise<void> = async () => undefined): Promise<void> {
  const contents = [
    ...Array.from({ length: 20 }, (_, i) => `secretcontent ${i} of a short text`),
    `secretlong ${long}`,
  ];
  const ids: string[] = [];
  for (const content of contents) {
    const body = { content, source: 'secretsource', metadata: { tag: 'secretmetadata' } };
    ids.push((await front.call('POST', '/v1/memories', body)).json.memory_id);
  }
  await front.settled();
  await front.call('POST', '/v1/memories/search', { query: 'secretcontent' }, { 'idempotency-key': 'a search' });
  await onServer('vacuum (analyze)', 'checkpoint');
  expect(filesIn(server.directory, needles).length).toBeGreaterThan(0);
  await between();
  for (const id of ids) expect((await front.call('DELETE', `/v1/memories/${id}`)).status).toBe(200);
}

// @covers SCRUB-SERVER
it('after a scrub no file of a server holds a deleted text, while other processes run', async () => {
  const { json: kept } = await front.call('POST', '/v1/memories', { content: 'keptcontent stays.' });
  await writeAndDelete();
  expect(filesIn(server.directory, needles).length).toBeGreaterThan(0);
  expect(await scrub()).toContain('The files of the database hold nothing of what was deleted.\n');
  expect(filesIn(server.directory, needles)).toEqual([]);
  expect((await front.call('GET', `/v1/memories/${kept.memory_id}`)).text).toContain('keptcontent stays.');
  expect((await front.call('GET', '/v1/memories?q=keptcontent')).text).toContain(kept.memory_id);
});

// @covers SCRUB-SERVER-LOG
it('a scrub removes deleted texts from the files of prepared tables too', async () => {
  const env = { ...bare, DATABASE_URL: server.url, DATA_DIR: directory };
  await writeAndDelete(async () => {
    await onServer(`update projections set version = version - 1 where name = 'memory'`);
    await run(process.execPath, [...program, 'prepare'], { env });
    await onServer(`update projections set version = version + 1 where name = 'memory'`, 'checkpoint');
  });
  expect(await scrub()).toContain('The files of the database hold nothing of what was deleted.\n');
  expect(filesIn(server.directory, needles)).toEqual([]);
  await run(process.execPath, [...program, 'prepare', '--discard'], { env });
});

it('a scrub says that a server keeps old files of the write-ahead log, which alone hold deleted texts then', async () => {
  await onServer(
    'alter system reset wal_recycle',
    `alter system set wal_keep_size = '64MB'`,
    'select pg_reload_conf()',
  );
  await writeAndDelete();
  const said = await scrub(3);
  expect(said).toContain('wal_recycle is on');
  expect(said).toContain('wal_keep_size is not 0');
  expect(filesIn(join(server.directory, 'data/base'), needles)).toEqual([]);
  expect(filesIn(join(server.directory, 'data/pg_wal'), needles).length).toBeGreaterThan(0);
});

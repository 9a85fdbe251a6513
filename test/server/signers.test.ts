import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRecord } from '../../src/adapters/signing-record.js';
import type { Row } from '../../src/database/database.js';
import { takeOverPlan } from '../../src/maintenance/take-over.js';
import { prove, visit } from '../http/log-reader.js';
import { type Service, startService, testWorld } from '../http/service.js';
import { dropDatabase, freshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';

/** Processes with copies of the keys on one server. Each has a directory of its own; `start` may be asked to begin with less. */
let parent: string;
let url: string;
let running: Service[];
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'counterfoil-signers-'));
  url = await freshDatabase();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.app.close()));
  await dropDatabase(url);
  rmSync(parent, { recursive: true, force: true });
});

const directoryOf = (name: string) => join(parent, name);
const keysOf = (name: string) => join(directoryOf(name), 'keys');

async function start(name: string, world = testWorld): Promise<Service> {
  mkdirSync(directoryOf(name), { recursive: true });
  const env = {
    DATABASE_URL: url,
    DATA_DIR: directoryOf(name),
    BASE_URL: 'http://log.example.org',
    LOG_LEVEL: 'silent',
  };
  const service = await startService(env, world);
  running.push(service);
  return service;
}

async function stop(service: Service): Promise<void> {
  running = running.filter((one) => one !== service);
  await service.app.close();
}

/** Everything that the page says: the key file alone. */
function copyKeys(from: string, to: string): void {
  mkdirSync(keysOf(to), { recursive: true, mode: 0o700 });
  cpSync(join(keysOf(from), 'signing-keys.json'), join(keysOf(to), 'signing-keys.json'));
}

const warnings = async (service: Service): Promise<readonly string[]> =>
  (await service.call('GET', '/readyz')).json.warnings;
const sql = <R extends Row>(service: Service, statement: string) =>
  service.app.database.transaction((tx) => tx.query<R>(statement));
const isHeir = async (service: Service) => (await sql(service, 'select 1 from signing_heirs')).length > 0;
const sentence = 'The transparency log is not signed: the process that may sign it does not run.';

it('one signs for all, and gives the right to another one when it stops', async () => {
  const first = await start('first');
  expect(await prove(first, 'by the first')).toHaveProperty('checkpoint');
  copyKeys('first', 'second');
  const second = await start('second');
  await until(() => isHeir(second));
  expect(await prove(second, 'asked of the first')).toHaveProperty('checkpoint');
  expect(await warnings(second)).toEqual([]);
  const state = join(parent, 'audit.json');
  expect(await visit(second, state)).toMatchObject({ code: 0 });
  await stop(first);
  expect(await prove(second, 'by the second')).toHaveProperty('checkpoint');
  expect(await warnings(second)).toEqual([]);
  const again = await start('first');
  await until(() => isHeir(again));
  expect(await prove(again, 'asked of the second')).toHaveProperty('checkpoint');
  expect(await visit(again, state)).toMatchObject({ code: 0 });
  expect(await again.app.maintenance.get('fsck')?.([], () => undefined)).toMatchObject({ ok: true });
});

it('keeps the right to sign in the directory that was given it last, when all are stopped one after the other', async () => {
  const first = await start('first');
  await prove(first, 'by the first');
  copyKeys('first', 'second');
  const second = await start('second');
  await until(() => isHeir(second));
  await stop(first);
  await stop(second);
  const again = await start('second');
  expect(await prove(again, 'by the second')).toHaveProperty('checkpoint');
});

it('says what to do when the signer does not come back, and takes over when it is asked to', async () => {
  const first = await start('first');
  await prove(first, 'by the first');
  await stop(first);
  copyKeys('first', 'second');
  const second = await start('second');
  // The lease of the first was given back when it stopped; that of a killed process ends by itself.
  expect(await warnings(second)).toContain(sentence);
  expect(await prove(second, 'not signed')).not.toHaveProperty('checkpoint');
  const takeOver = second.app.maintenance.get('take-over');
  const { size, root } = takeOverPlan.parse(JSON.parse((await takeOver?.([], () => undefined))?.text ?? ''));
  expect(await takeOver?.([String(size - 1), root], () => undefined)).toMatchObject({ ok: false });
  expect(await takeOver?.([String(size), root], () => undefined)).toMatchObject({ ok: true });
  expect(await prove(second, 'by the second')).toHaveProperty('checkpoint');
  // The process takes the lease of the signer when it looks the next time.
  await until(async () => (await warnings(second)).length === 0);
  // The first one comes back: it asks, like any other.
  const again = await start('first');
  await until(() => isHeir(again));
  expect(await prove(again, 'asked of the second')).toHaveProperty('checkpoint');
  expect(await visit(again, join(parent, 'audit.json'))).toMatchObject({ code: 0 });
});

it('continues a log of an earlier version in the directory that has signed its newest checkpoint', async () => {
  const first = await start('first');
  await prove(first, 'one');
  const [leaf] = await sql<{ root: string }>(
    first,
    `select encode(hash, 'hex') as root from log_leaves where index = 0`,
  );
  copyKeys('first', 'second');
  await stop(first);
  // What an earlier version has left: records of a size and a root, and no turns.
  const { size, root } = readRecord(keysOf('first'), 'log.example.org') ?? { size: 0, root: '' };
  writeRecord('first', { size, root });
  writeRecord('second', { size: 1, root: leaf?.root });
  const second = await start('second');
  await sql(second, 'delete from log_turns');
  expect(await prove(second, 'not by the second')).not.toHaveProperty('checkpoint');
  const again = await start('first');
  expect(await prove(again, 'by the first')).toHaveProperty('checkpoint');
  await until(() => isHeir(second));
  expect(await prove(second, 'asked of the first')).toHaveProperty('checkpoint');
  expect(await visit(second, join(parent, 'audit.json'))).toMatchObject({ code: 0 });
});

const writeRecord = (name: string, record: object) =>
  writeFileSync(join(keysOf(name), 'last-signed.json'), `${JSON.stringify(record)}\n`);

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { dropDatabase, freshDatabase, onMaintenanceDatabase } from '../../support/fresh-database.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { preparedDirectory } from '../../support/prepared-store.js';

const page = readFileSync(join(packageRoot, 'docs/operating/backup.md'), 'utf8');
/** The commands that an administrator of the server types for a restore. */
const [, prepare = ''] = /^```sh\n(createdb .*?)^```/ms.exec(page) ?? [];
/** The commands of the page, in their order. */
const [backup = '', restore = '', dump = '', restoreDump = '', move = '', ...more] = [
  ...page.matchAll(/^```bash\n(.*?)^```/gms),
].map(([, commands = '']) => commands);

const key = 'ak_backup000000000000000000000000000';
const owner = { email: 'owner@example.org', password: 'a password of the owner' };
const settings = {
  PORT: '0',
  LOG_LEVEL: 'error',
  OTS_CALENDARS: 'off',
  RATE_LIMITS: 'off',
  BOOTSTRAP_API_KEY: key,
  OWNER_EMAIL: owner.email,
  OWNER_PASSWORD: owner.password,
};
const task = taskReceipt({ task_summary: 'Its digest needs a secret of the installation.' });

let directory: string;
let service: Service | undefined;
let databases: string[] = [];
let roles: string[] = [];
beforeEach(() => {
  directory = quickDirectory();
});
afterEach(async () => {
  await service?.kill();
  await Promise.all(databases.map(dropDatabase));
  databases = [];
  for (const role of roles) await onMaintenanceDatabase((query) => query(`drop role ${role}`));
  roles = [];
  rmSync(directory, { recursive: true, force: true });
});

async function newDatabase(): Promise<string> {
  const url = await freshDatabase();
  databases.push(url);
  return url;
}

/** An empty database of an ordinary role, as an administrator makes it, with the extension or without. @returns its address for the role */
async function ownedDatabase(withExtension = true): Promise<string> {
  const role = `test_${randomBytes(6).toString('hex')}`;
  await onMaintenanceDatabase((query) => query(`create role ${role} login`));
  roles.push(role);
  const { hostname, port, username } = new URL(process.env.DATABASE_URL ?? '');
  const commands = prepare.replace('--owner=counterfoil', `--owner=${role}`).replaceAll('restored', role);
  const typed = withExtension ? commands : commands.replace(/^psql.*$/m, '');
  const env = { PGHOST: hostname, PGPORT: port, PGUSER: username };
  expect(await shell(typed, env)).toMatchObject({ code: 0 });
  const url = `postgres://${role}@${hostname}:${port}/${role}`;
  databases.push(url);
  return url;
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Everything that someone pastes into a shell in the directory of the service. */
function shell(commands: string, env: Record<string, string> = {}): Promise<Ended> {
  const script = `set -euo pipefail\ncounterfoil() { ${process.execPath} ${program.join(' ')} "$@"; }\n${commands}`;
  const options = { cwd: directory, env: { ...bare, ...settings, ...env } };
  return new Promise((resolve) => {
    execFile('bash', ['--norc', '-c', script], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

const serve = async (env: Record<string, string> = {}) => {
  const data = join(directory, 'data');
  if (env.DATABASE_URL === undefined && !existsSync(data)) {
    mkdirSync(data);
    await preparedDirectory(data);
  }
  service = await start({ ...settings, DATA_DIR: data, ...env });
  return service;
};

async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}` };
  const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(`${service?.origin}${path}`, sent);
  return { status: response.status, text: await response.text() };
}

async function write(content: string): Promise<string> {
  const { text } = await ask('/v1/memories', { content });
  return /"memory_id":"([^"]+)"/.exec(text)?.[1] ?? '';
}

/** A proof of a memory's write, for which the log must be signed. */
async function prove(memory: string): Promise<{ status: number; text: string }> {
  const receipt = /"receipt_id":"([^"]+)"/.exec((await ask(`/v1/memories/${memory}`)).text)?.[1] ?? '';
  return ask(`/v1/receipts/${receipt}/proof`);
}

/** Facts that follow from the secrets of the installation: whether a receipt is known again, and the public tag of the workspace. */
async function ofSecrets(): Promise<{ status: number; tag: string }> {
  const { status } = await ask('/v1/receipts', task);
  const signedIn = await fetch(`${service?.origin}/v1/session`, { method: 'POST', body: JSON.stringify(owner) });
  const cookie = signedIn.headers.getSetCookie().join().replace(/;.*/, '');
  const shown = await fetch(`${service?.origin}/v1/workspace`, { headers: { cookie } });
  return { status, tag: /"public_tag":"([0-9a-f]{16})"/.exec(await shown.text())?.[1] ?? 'none' };
}

const memories = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await ask(`/v1/memories/${id}`)).status));

describe('the page on backups', () => {
  it('has these commands and no others', () => {
    expect([backup, restore, dump, restoreDump, move].map((commands) => commands.trim().split('\n').length)).toEqual([
      ...[1, 3, 4, 6, 1],
    ]);
    expect(more).toEqual([]);
  });

  it('gets an embedded store back as it was, taken while others wrote', async () => {
    await serve();
    const secrets = await ofSecrets();
    const first = await write('before the backup');
    const proof = await prove(first);
    let done = false;
    const during: string[] = [];
    const writing = (async () => {
      while (!done) during.push(await write(`while it is made ${during.length}`));
    })();
    while (during.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
    const acknowledged = during.length;
    const made = await shell(backup);
    done = true;
    await writing;
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('backups/monday') });
    const after = await write('after the backup');
    expect(statSync(join(directory, 'backups/monday')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(directory, 'backups/monday')).sort()).toEqual(['keys', 'pgdata']);
    expect(await shell(backup)).toMatchObject({ code: 2, err: expect.stringContaining('monday is not empty') });
    await service?.kill();

    const restored = await shell(restore);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('No fault in') });
    await serve();
    expect(await memories([first, ...during.slice(0, acknowledged), after])).toEqual([
      200,
      ...during.slice(0, acknowledged).map(() => 200),
      404,
    ]);
    expect([secrets.status, await ofSecrets()]).toEqual([201, { ...secrets, status: 200 }]);
    expect((await prove(first)).text).toBe(proof.text);
    expect((await prove(await write('after the restore'))).status).toBe(200);
  });

  it('signs nothing with keys that have signed what the restored store does not have', async () => {
    await serve();
    await prove(await write('before the backup'));
    expect(await shell(backup)).toMatchObject({ code: 0 });
    await prove(await write('after the backup'));
    await service?.kill();
    const { code, out } = await shell(
      restore.replace('counterfoil', 'rm -r data/keys; cp -r data.lost/keys data; counterfoil'),
    );
    expect(code).toBe(1);
    expect(out).toContain('Restore a store that is not older than that checkpoint');
  });

  it('gets a store on a server back, and takes an embedded one there', async () => {
    await serve();
    const secrets = await ofSecrets();
    const first = await write('in the embedded store');
    const proof = await prove(first);
    await service?.kill();
    const [server, another] = [await newDatabase(), await newDatabase()];
    expect(await shell(move, { DATABASE_URL_OF_THE_SERVER: server })).toMatchObject({ code: 0 });
    await serve({ DATABASE_URL: server });
    expect([secrets.status, await ofSecrets()]).toEqual([201, { ...secrets, status: 200 }]);
    const second = await write('on the server');
    await prove(second);
    expect(await shell(dump, { DATABASE_URL: server })).toMatchObject({ code: 0 });
    expect(await shell('counterfoil backup elsewhere', { DATABASE_URL: server })).toMatchObject({
      code: 2,
      err: expect.stringContaining('pg_dump'),
    });
    const lost = await write('after the dump');
    await service?.kill();
    await shell('rm -r data');

    const restored = await shell(restoreDump, { DATABASE_URL: another });
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('No fault in') });
    await serve({ DATABASE_URL: another });
    expect(await memories([first, second, lost])).toEqual([200, 200, 404]);
    expect(await ofSecrets()).toEqual({ ...secrets, status: 200 });
    expect((await prove(first)).text).toBe(proof.text);
    expect((await prove(await write('after the restore'))).status).toBe(200);
  });

  it('gets a store on a server back in the name of another ordinary role, from a dump that no one else reads', async () => {
    const [before, after] = [await ownedDatabase(), await ownedDatabase()];
    await serve({ DATABASE_URL: before });
    const memory = await write('of an ordinary role');
    const proof = await prove(memory);
    expect(await shell(`umask 022\n${dump}`, { DATABASE_URL: before })).toMatchObject({ code: 0 });
    const modeOf = (path: string) => statSync(join(directory, 'backups/tuesday', path)).mode & 0o777;
    expect(['', 'keys', 'store.dump'].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
    await service?.kill();
    await shell('rm -r data');

    const without = await ownedDatabase(false);
    expect(await shell(restoreDump, { DATABASE_URL: without })).toMatchObject({
      code: 1,
      err: expect.stringContaining('permission denied to create extension'),
    });
    const restored = await shell(restoreDump, { DATABASE_URL: after });
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('No fault in') });
    expect(restored.err).not.toMatch(/error|warning/i);
    await serve({ DATABASE_URL: after });
    expect(await memories([memory])).toEqual([200]);
    expect((await prove(memory)).text).toBe(proof.text);
    expect((await prove(await write('after the restore'))).status).toBe(200);
  });

  it('restores nothing rather than a part', async () => {
    const [before, after] = [await ownedDatabase(), await ownedDatabase()];
    await serve({ DATABASE_URL: before });
    await prove(await write('whole or not at all'));
    expect(await shell(dump, { DATABASE_URL: before })).toMatchObject({ code: 0 });
    await service?.kill();
    const tables = (sql: string) => shell(`psql "$DATABASE_URL" -Atqc "${sql}"`, { DATABASE_URL: after });
    // A table of another program, with the name of one of the last.
    await tables('create table workspaces (id int)');
    expect((await shell(restoreDump, { DATABASE_URL: after })).code).not.toBe(0);
    const { out } = await tables("select string_agg(tablename, ',') from pg_tables where schemaname = 'public'");
    expect(out.trim()).toBe('workspaces');
  });

  it('leaves no half backup where one cannot be made', async () => {
    await serve();
    writeFileSync(join(directory, 'file'), '');
    const { code, err } = await shell('counterfoil backup file/below');
    expect(err).toMatch(/^counterfoil: \S+file\/below\.partial cannot be made .*\n$/);
    expect(code).toBe(2);
    expect((await ask('/readyz')).status).toBe(200);
  });
});

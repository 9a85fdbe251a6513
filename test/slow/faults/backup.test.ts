import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { dropDatabase, freshDatabase } from '../../support/fresh-database.js';

const page = readFileSync(join(packageRoot, 'docs/operating/backup.md'), 'utf8');
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
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-backup-'));
});
afterEach(async () => {
  await service?.kill();
  await Promise.all(databases.map(dropDatabase));
  databases = [];
  rmSync(directory, { recursive: true, force: true });
});

async function newDatabase(): Promise<string> {
  const url = await freshDatabase();
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
  service = await start({ ...settings, DATA_DIR: join(directory, 'data'), ...env });
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
      ...[1, 3, 3, 4, 1],
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

  it('leaves no half backup where one cannot be made', async () => {
    await serve();
    writeFileSync(join(directory, 'file'), '');
    const { code, err } = await shell('counterfoil backup file/below');
    expect(err).toMatch(/^counterfoil: \S+file\/below\.partial cannot be made .*\n$/);
    expect(code).toBe(2);
    expect((await ask('/readyz')).status).toBe(200);
  });
});

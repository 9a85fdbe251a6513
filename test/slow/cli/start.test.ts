import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdPort } from '../../../src/cli/port.js';
import { faultOfDotEnv } from '../../../src/cli/settings.js';
import { bare, program } from '../../faults/service-process.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { preparedDirectory } from '../../support/prepared-store.js';

let directory: string;
const started: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  directory = quickDirectory();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((stop) => stop()));
  rmSync(directory, { recursive: true, force: true });
});

const settings = { PORT: '0', LOG_LEVEL: 'error', OTS_CALENDARS: 'off' };

interface Started {
  readonly said: string;
  /** Null while it serves. */
  readonly code: number | null;
  readonly origin: string;
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

/** Everything that a person sees who starts the built service in a directory, until it listens or has ended. */
async function serve(
  env: Record<string, string> = {},
  [command = '', ...args]: readonly string[] = [process.execPath],
): Promise<Started> {
  const child = spawn(command, [...args, ...program, 'serve'], {
    cwd: directory,
    env: { ...bare, ...settings, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const listening = new Promise<null>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (data) => {
      said += data;
      if (said.includes('listens on')) resolve(null);
    });
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  started.push(stop);
  const code = await Promise.race([ended, listening]);
  return { said, code, origin: /listens on (\S+)/.exec(said)?.[1] ?? '', stop };
}

/** A command of the built command line. */
function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...program, ...args],
      { cwd: directory, env: { ...bare, ...settings } },
      (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

/** A store of this directory with its tables and nothing in them: a start that does not make them takes half as long. */
async function placeStore(): Promise<void> {
  const data = join(directory, 'data');
  mkdirSync(data);
  await preparedDirectory(data);
}

const keyIn = (text: string) => /API key +(ak_\w+)/.exec(text)?.[1] ?? '';
const passwordIn = (text: string) => /password +(\w{20})/.exec(text)?.[1] ?? '';

const withKey = async (origin: string, key: string) =>
  (await fetch(`${origin}/v1/memories`, { headers: { authorization: `Bearer ${key}` } })).status;

const signIn = (origin: string, password: string) =>
  fetch(`${origin}/v1/session`, {
    method: 'POST',
    body: JSON.stringify({ email: 'owner@localhost', password }),
  });

async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  started.push(() => new Promise((resolve) => other.close(resolve)));
  const address = other.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('what is wrong is said in one sentence, and nothing was made', () => {
  const wrong: [string, RegExp, () => Record<string, string> | Promise<Record<string, string>>][] = [
    ['a port that is taken', /Port \d+ of 127\.0\.0\.1 is in use/, async () => ({ PORT: String(await takenPort()) })],
    ['an address of another machine', /HOST is wrong/, () => ({ HOST: '192.0.2.1', PORT: '18080' })],
    ['headers that are not there', /BITCOIN_HEADERS is wrong/, () => ({ BITCOIN_HEADERS: 'nowhere.json' })],
    [
      'a path below a pseudo file system',
      /of the kernel.* Set DATA_DIR /,
      () => ({ DATA_DIR: '/proc/counterfoil/data' }),
    ],
    ['a pseudo file system', /of the kernel.* Set DATA_DIR /, () => ({ DATA_DIR: '/sys' })],
    [
      'a file instead of the directory',
      /file is a file and not a directory\. Set DATA_DIR/,
      () => {
        writeFileSync(join(directory, 'file'), '');
        return { DATA_DIR: 'file' };
      },
    ],
    [
      'a file above the directory',
      / Set DATA_DIR /,
      () => {
        writeFileSync(join(directory, 'file'), '');
        return { DATA_DIR: 'file/data' };
      },
    ],
    [
      'a line of .env without =',
      /Line 2 of \.env is wrong/,
      () => {
        writeFileSync(
          join(directory, '.env'),
          'LOG_LEVEL=error\nDATA_DIR elsewhere\nDATABASE_URL=postgres://127.0.0.1/x\n',
        );
        return {};
      },
    ],
  ];

  const away = ['127.0.0.1:1', 'localhost:1'];

  async function endsWith(sentence: RegExp, env: Record<string, string>): Promise<void> {
    const { said, code } = await serve(env);
    expect(said).toMatch(sentence);
    // A start waits for a server that is away, and says so at once.
    expect(said.replace(/^counterfoil: .* Waiting for up to 60 s\.\n/, '')).toMatch(/^counterfoil: .*\n$/);
    expect(said).not.toContain('secret');
    expect(code).toBe(1);
    expect(existsSync(join(directory, 'data'))).toBe(false);
  }

  it.each(wrong)('%s', async (_what, sentence, prepare) => endsWith(sentence, await prepare()));

  // Each is waited for a minute, so both are at the same time.
  it('a server that is away, by its address and by a name with two addresses', async () => {
    await Promise.all(
      away.map((host) =>
        endsWith(new RegExp(`${host.replaceAll('.', '\\.')} cannot be reached`), {
          DATABASE_URL: `postgres://u:secret@${host}/x`,
        }),
      ),
    );
  });

  it('too few files for a service', async () => {
    const { said, code } = await serve({}, ['sh', '-c', 'ulimit -n 128; exec "$0" "$@"', process.execPath]);
    expect(said).toMatch(/^counterfoil: This process may have only 128 files open.*ulimit -n 4096.*\n$/);
    expect(code).toBe(1);
    expect(existsSync(join(directory, 'data'))).toBe(false);
  });

  it('a damaged store', async () => {
    await placeStore();
    await (await serve()).stop();
    const pgdata = join(directory, 'data/pgdata');
    truncateSync(join(pgdata, 'global/pg_control'), 10);
    const { said, code } = await serve();
    expect(said).toMatch(/^counterfoil: The store in \S+ cannot be opened: .*backup.*\n$/);
    expect(code).toBe(1);
  });

  it('the same of the commands that need the store', async () => {
    mkdirSync(join(directory, 'data/pgdata/global'), { recursive: true });
    const { code, err } = await run('fsck');
    expect(err).toMatch(/^counterfoil: The store in \S+ cannot be opened: .*\n$/);
    expect(code).toBe(2);
    expect(readdirSync(join(directory, 'data/pgdata'))).toEqual(['global']);
  });
});

describe('while the store is opened', () => {
  it('callers are asked to retry, and the port is free afterwards', async () => {
    const port = await takenPort();
    await started.pop()?.();
    const held = await holdPort('127.0.0.1', port);
    await expect(holdPort('127.0.0.1', port)).rejects.toThrow('EADDRINUSE');
    const origin = `http://127.0.0.1:${port}`;
    const refused = await fetch(`${origin}/v1/memories`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ error: { code: 'not_ready' } });
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({ status: 'not_ready' });
    await held.release();
    await (await holdPort('127.0.0.1', port)).release();
  });
});

describe('the first password and key', () => {
  it('are shown, others in their place, until one of them was used', async () => {
    const taken = await takenPort();
    expect((await serve({ PORT: String(taken) })).said).not.toContain('password');
    const first = await serve();
    expect(first.said).toContain('A new store was made');
    await first.stop('SIGKILL');
    const second = await serve();
    expect(second.said).toContain('These replace them');
    const [old, key, password] = [keyIn(first.said), keyIn(second.said), passwordIn(second.said)];
    expect(await withKey(second.origin, old)).toBe(401);
    expect((await signIn(second.origin, passwordIn(first.said))).status).toBe(401);
    expect(await withKey(second.origin, key)).toBe(200);
    expect(await second.stop('SIGHUP')).toBe(0);
    const third = await serve();
    expect(third.said).not.toMatch(/password|API key/);
    expect(await withKey(third.origin, key)).toBe(200);
    expect((await signIn(third.origin, password)).status).toBe(200);
    expect(await run('fsck')).toMatchObject({ code: 0 });
  });

  it.each([
    [{ BASE_URL: 'https://memory.example.org/' }, /^https:\/\/memory\.example\.org$/],
    [{}, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/],
  ])('are shown with the address of the console: %j', async (env, address) => {
    await placeStore();
    const { said, origin } = await serve(env);
    expect(/Sign in at (\S+)\/sign-in /.exec(said)?.[1]).toMatch(address);
    expect(/curl -s (\S+)\/v1\/memories /.exec(said)?.[1]).toMatch(address);
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]/);
    if (!('BASE_URL' in env)) expect(said).toContain(`Sign in at ${origin}/sign-in`);
  });

  it('can be had from the command line when they are lost, also while the service runs', async () => {
    await placeStore();
    const { said, origin } = await serve();
    const session = await signIn(origin, passwordIn(said));
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
    const made = await run('keys', 'create', '--name', 'laptop');
    expect(made.code).toBe(0);
    expect(await withKey(origin, keyIn(made.out))).toBe(200);
    const readsAll = await run('keys', 'create', '--scope', 'receipts.read', '--scope', 'memory.read');
    const receipts = await fetch(`${origin}/v1/receipts?kind=key.created&limit=1`, {
      headers: { authorization: `Bearer ${keyIn(readsAll.out)}` },
    });
    expect(await receipts.json()).toMatchObject({ data: [{ body: { scopes: ['receipts.read', 'memory.read'] } }] });
    expect(await run('keys', 'create', '--scope', 'everything')).toMatchObject({
      code: expect.any(Number),
      err: expect.stringContaining('memory.read, memory.write, receipts.read'),
    });
    const reset = await run('people', 'password', 'owner@localhost');
    expect((await signIn(origin, passwordIn(reset.out))).status).toBe(200);
    expect((await signIn(origin, passwordIn(said))).status).toBe(401);
    expect((await fetch(`${origin}/v1/session`, { headers: { cookie } })).status).toBe(401);
    expect(await run('people', 'password', 'unknown@localhost')).toMatchObject({
      code: 2,
      err: expect.stringContaining('No person has the e-mail address unknown@localhost'),
    });
    expect(await run('keys', 'create', '--workspace', 'x')).toMatchObject({ code: 2 });
    expect(await run('fsck')).toMatchObject({ code: 0 });
  });
});

it.each([
  ['', null],
  ['# a remark\n\nA=1\n export B=2\nC = "two words"\r\nD=\n', null],
  ['KEY="-----BEGIN\nno equals sign here\n-----END"\nB=1', null],
  ["A='it''s'\nB=1", null],
  ['A=1\nDATA_DIR\nB=1', 'Line 2'],
  ['A: 1', 'Line 1'],
  ['\ufeffA=1', 'Line 1'],
  ['9A=1', 'Line 1'],
])('of the .env file %j', (text, fault) => {
  if (fault === null) expect(faultOfDotEnv(text)).toBeNull();
  else expect(faultOfDotEnv(text)).toContain(fault);
});

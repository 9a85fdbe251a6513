import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { command } from '../../faults/command.js';
import { type Service, start } from '../../faults/service-process.js';
import { preparedDirectory } from '../../support/prepared-store.js';

const run = promisify(execFile);
const scripts = join(packageRoot, 'ops/deploy');
const key = 'ak_deploy000000000000000000000000000';

let directory: string;
let service: Service;
let env: Record<string, string>;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-deploy-'));
  const data = join(directory, 'data');
  mkdirSync(data);
  await preparedDirectory(data);
  env = {
    DATA_DIR: data,
    BOOTSTRAP_API_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'error',
    OTS_CALENDARS: 'off',
    ANCHOR_INTERVAL: '1s',
  };
  service = await start(env);
});
afterAll(async () => {
  await service.kill();
  rmSync(directory, { recursive: true });
});

/** As cron runs it: with hardly any environment. */
async function script(name: string, args: readonly string[], more: Record<string, string> = {}) {
  const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const bare = { PATH, ENV_FILE: join(directory, 'no such file'), ...more };
  return run(join(scripts, name), args, { env: bare, cwd: '/' }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

async function write(content: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${service.origin}/v1/memories`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content }),
  });
  expect(answer.status).toBe(202);
}

// @covers DEPLOY-BACKUP
it('a backup by cron is silent, readable by its user alone, and a sound store; the oldest are removed', async () => {
  await write('The pilot boards at buoy 4.');
  const to = join(directory, 'backups');
  const data = { DATA_DIR: env.DATA_DIR ?? '' };
  for (let n = 0; n < 3; n += 1) {
    expect(await script('backup.sh', [to, '2'], data)).toEqual({ code: 0, output: '' });
    // They are named by the second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  const names = readdirSync(to).toSorted();
  expect(names).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}Z$/), expect.any(String)]);
  for (const name of names) expect(statSync(join(to, name)).mode & 0o077).toBe(0);
  const restored = join(directory, 'restored');
  cpSync(join(to, names[1] ?? ''), restored, { recursive: true });
  const checked = await command({ ...env, DATA_DIR: restored }, 'fsck');
  expect([checked.code, checked.stderr]).toEqual([0, expect.any(String)]);
});

// @covers DEPLOY-BACKUP
it('a backup of a server names the program that is missing, and copies no keys', async () => {
  const to = join(directory, 'without pg_dump');
  const server = { DATABASE_URL: 'postgres://127.0.0.1/none', DATA_DIR: env.DATA_DIR ?? '' };
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  for (const name of ['bash', 'env', 'date', 'mkdir', 'find', 'dirname', 'cp'])
    symlinkSync(`/usr/bin/${name}`, join(bin, name));
  const failed = await script('backup.sh', [to], { ...server, PATH: bin });
  expect(failed).toEqual({ code: 1, output: expect.stringContaining('install postgresql-client') });
  expect(readdirSync(to)).toEqual([]);
});

// @covers DEPLOY-BACKUP
it('a backup that cannot be made says why and leaves none', async () => {
  const to = join(directory, 'none');
  const failed = await script('backup.sh', [to], { DATA_DIR: join(directory, 'no data') });
  expect([failed.code, failed.output]).not.toEqual([0, expect.any(String)]);
  expect(failed.output).not.toBe('');
  expect(readdirSync(to).filter((name) => !name.endsWith('.part'))).toEqual([]);
  expect((await script('backup.sh', [])).output).toContain('usage');
});

// @covers DEPLOY-BACKUP
it('an audit by cron is silent while the log is sound, and says what is wrong with one that is not', async () => {
  const kept = join(directory, 'audit');
  await expect
    .poll(() => script('audit.sh', [service.origin, kept]), { timeout: 60_000, interval: 500 })
    .toEqual({
      code: 0,
      output: '',
    });
  expect(readdirSync(kept)).toEqual(['log.json']);
  writeFileSync(join(kept, 'log.json'), '{}');
  const broken = await script('audit.sh', [service.origin, kept]);
  expect([broken.code, broken.output === '']).toEqual([1, false]);
});

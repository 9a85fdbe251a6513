import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../faults/free-port.js';
import { bare, program } from '../../faults/service-process.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { preparedDirectory } from '../../support/prepared-store.js';
import { until } from '../../support/until.js';

const directory = quickDirectory();
const full = openSync('/dev/full', 'w');
afterAll(() => {
  closeSync(full);
  rmSync(directory, { recursive: true });
});

/** The service with its log on a full disk, and what it says on standard error. */
async function serve(stderr: 'pipe' | number) {
  const port = await freePort();
  const data = join(directory, String(port));
  mkdirSync(data);
  await preparedDirectory(data);
  const child = spawn(process.execPath, [...program, 'serve'], {
    env: {
      ...bare,
      DATA_DIR: data,
      PORT: String(port),
      OTS_CALENDARS: 'off',
    },
    stdio: ['ignore', full, stderr],
  });
  let said = '';
  child.stderr?.on('data', (data) => {
    said += data;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status);
  const ready = () =>
    get('/readyz').then(
      (status) => status === 200,
      () => false,
    );
  await until(async () => child.exitCode !== null || (await ready()));
  return { child, ended, get, said: () => said };
}

test('a service serves and stops in order while its log is on a full disk', async () => {
  const { child, ended, get, said } = await serve('pipe');
  await until(() => said().includes('The log cannot be written'));
  expect(await get('/healthz')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(said().match(/counterfoil: .*/g)).toEqual([
    expect.stringMatching(
      /The log cannot be written: ENOSPC.* The service continues, and lines of its log may be lost\.$/,
    ),
  ]);
});

test('it does so where standard error is full too', async () => {
  const { child, ended, get } = await serve(full);
  expect(await get('/healthz')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

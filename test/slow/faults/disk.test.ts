import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { preparedDirectory } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

/** How often each fault is made. */
const rounds = repeats('DISK_ROUNDS');
const key = 'ak_disk00000000000000000000000000000';
const faulty = fileURLToPath(new URL('../../faults/disk-faults.cjs', import.meta.url));

let root: string;
let env: Record<string, string>;
let service: Service;
/** Everything that was acknowledged. */
let written: Map<string, string>;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'counterfoil-disk-'));
  const quiet = { LOG_LEVEL: 'silent', RATE_LIMITS: 'off', OTS_CALENDARS: 'off' };
  const data = join(root, 'data');
  mkdirSync(data);
  env = { ...quiet, DATA_DIR: data, BOOTSTRAP_API_KEY: key, PORT: '0' };
  written = new Map();
  await preparedDirectory(data);
});
afterEach(async () => {
  await service.kill();
  rmSync(root, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly code: string | undefined;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, code: /"code":\s*"([^"]+)"/.exec(text)?.[1] };
}

let count = 0;
async function write(): Promise<Answer> {
  count += 1;
  const content = `memory ${count} ${'x'.repeat(2000)}`;
  const answer = await ask('POST', '/v1/memories', { content });
  const id = /"memory_id":"([^"]+)"/.exec(answer.text)?.[1];
  if (answer.status === 202 && id !== undefined) written.set(id, content);
  return answer;
}

/** The service writes meanwhile, so what was free a moment ago may not be any more. */
function fill(disk: string, left: number): void {
  const file = openSync(join(disk, 'filling'), 'w');
  try {
    const { bavail, bsize } = statfsSync(disk);
    for (let rest = bavail * bsize - left; rest > 0 || left === 0; ) rest -= writeSync(file, Buffer.alloc(2 ** 20));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
}

/** The answers that a client may get while the store is away: a code of the interface, never a 500 and never silence. */
const codesWhileAway = [
  'receipt_unavailable',
  'recall_receipt_unavailable',
  'memory_unavailable',
  'meter_unavailable',
  'not_ready',
];

function expectRefusedProperly({ status, code, text }: Answer): void {
  if (status < 300) return;
  expect(status, text).toBe(503);
  expect(codesWhileAway).toContain(code);
}

async function untilWritable(): Promise<void> {
  const until = performance.now() + 180_000;
  for (;;) {
    const ready = await ask('GET', '/readyz');
    if (ready.status === 200 && (await write()).status === 202) return;
    if (performance.now() > until) throw new Error(`still not ready: ${ready.text}`);
    await pause(100);
  }
}

async function expectNothingLost(): Promise<void> {
  for (const [id, content] of written) {
    const { status, text } = await ask('GET', `/v1/memories/${id}`);
    expect({ status, found: text.includes(content) }).toEqual({ status: 200, found: true });
  }
  const said = execFileSync(process.execPath, [...program, 'fsck'], {
    env: { ...bare, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(said).toContain('No fault');
}

test.each([
  'fsync EIO pg_wal',
  'write EIO pg_wal',
  'write ENOSPC pg_wal',
  'write EIO /base/',
  'write ENOSPC /base/',
])(`the service recovers by itself from "%s", ${rounds} times`, async (fault) => {
  const faults = join(root, 'faults');
  env = { ...env, FAULTS: faults, NODE_OPTIONS: `--require ${faulty}` };
  service = await start(env);
  for (let round = 0; round < rounds; round += 1) {
    await untilWritable();
    writeFileSync(faults, fault);
    const answers = await Promise.all([
      write(),
      write(),
      ask('POST', '/v1/memories/search', { query: 'memory' }),
      write(),
    ]);
    for (const answer of answers) expectRefusedProperly(answer);
    expectRefusedProperly(await write());
    rmSync(faults);
    await untilWritable();
  }
  await expectNothingLost();
});

test(`a disk that fills up, nearly or at once, ends in refusals, and in writes again when there is space, ${rounds} times`, async () => {
  const disk = join(root, 'disk');
  mkdirSync(disk);
  // Only root can make a disk of its own; the disk that everybody uses is not filled.
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]);
  try {
    await preparedDirectory(disk);
    env = { ...env, DATA_DIR: disk };
    service = await start(env);
    for (let round = 0; round < 2 * rounds; round += 1) {
      await untilWritable();
      // Nearly full alternately, which the service sees coming, and full at once, which it cannot.
      const left = round % 2 === 0 ? 30 * 2 ** 20 : 0;
      fill(disk, left);
      const until = performance.now() + 3000;
      const refusals: Answer[] = [];
      while (performance.now() < until) {
        const answer = await write();
        expectRefusedProperly(answer);
        if (answer.status !== 202) refusals.push(answer);
      }
      expect(refusals.length).toBeGreaterThan(0);
      expect((await ask('GET', '/readyz')).status).toBe(503);
      if (left > 0) {
        expect(refusals.at(-1)?.code).toBe('not_ready');
        expect(refusals.at(-1)?.text).toContain('MiB are free');
        const [id = ''] = written.keys();
        expect((await ask('GET', `/v1/memories/${id}`)).status).toBe(200);
      }
      rmSync(join(disk, 'filling'));
      await untilWritable();
    }
    await expectNothingLost();
    await service.kill();
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

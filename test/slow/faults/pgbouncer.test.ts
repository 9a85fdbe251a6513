import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { type Acknowledged, key, load, missing } from '../../faults/acknowledged.js';
import { freePort } from '../../faults/free-port.js';
import { until } from '../../faults/outage.js';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { databaseOn, dropDatabase, onMaintenanceDatabase } from '../../support/fresh-database.js';
import { preparedDatabase } from '../../support/prepared-store.js';

const run = promisify(execFile);

/** How long writes may take to be acknowledged, on a machine that is busy with other suites. */
const patienceMs = 60_000;

test('serves through PgBouncer in session mode, and loses nothing when PgBouncer is killed under load', async () => {
  const url = await preparedDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-pgbouncer-'));
  const own = { PGBOUNCER_DIR: join(directory, 'pgbouncer'), PGBOUNCER_PORT: String(await freePort()) };
  const bouncer = (action: string): string =>
    execFileSync(join(packageRoot, 'ops/pgbouncer.sh'), [action], {
      env: { ...process.env, ...own, DATABASE_URL: url },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  execFileSync('chmod', ['755', directory]);
  // A connection sets by itself what it needs, because PgBouncer refuses such settings at the start of a connection.
  for (const setting of ["timezone = 'Asia/Kolkata'", "DateStyle = 'German'"])
    await onMaintenanceDatabase((query) => query(`alter role postgres in database ${databaseOn(url)} set ${setting}`));
  const [, address = ''] = /DATABASE_URL=(\S+)/.exec(bouncer('start')) ?? [];
  const quiet = { LOG_LEVEL: 'silent', RATE_LIMITS: 'off', OTS_CALENDARS: 'off' };
  const env = { ...quiet, DATABASE_URL: address, DATA_DIR: join(directory, 'data'), BOOTSTRAP_API_KEY: key, PORT: '0' };
  let service: Service | undefined;
  try {
    service = await start(env);
    const seen: Acknowledged = { memories: new Map(), batches: [] };
    const ended = new AbortController();
    const loading = load(service.origin, seen, 'through PgBouncer', ended.signal);
    await until(patienceMs, async () => seen.memories.size > 20);
    bouncer('kill');
    await pause(300);
    bouncer('start');
    const before = seen.memories.size;
    await until(patienceMs, async () => seen.memories.size > before + 20);
    ended.abort();
    await loading;
    expect(await missing(service.origin, seen)).toEqual([]);
    const checked = await run(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env } });
    expect(checked.stdout).toContain('No fault');
  } finally {
    await service?.kill();
    bouncer('stop');
    rmSync(directory, { recursive: true, force: true });
    await dropDatabase(url);
  }
});

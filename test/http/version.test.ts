import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { holdPort } from '../../src/cli/port.js';
import { ask } from './ask.js';
import { startService } from './service.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

it('is in /healthz and /readyz, also while the service starts', async () => {
  const service = await startService();
  const running = await ask(service.app.server.listeningOrigin, 'GET', '/healthz');
  expect([running.status, running.json]).toEqual([200, { status: 'up', version }]);
  const ready = await ask(service.app.server.listeningOrigin, 'GET', '/readyz');
  expect(ready.json).toMatchObject({ status: 'ready', version });
  await service.stop();
  const port = 20_000 + (process.pid % 20_000);
  const held = await holdPort('127.0.0.1', port);
  const starting = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(await starting.json()).toEqual({ status: 'up', version });
  const notReady = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect([notReady.status, await notReady.json()]).toMatchObject([503, { status: 'not_ready', version }]);
  await held.release();
});

it('is printed by the command line', () => {
  const printed = execFileSync(process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), '--version'], {
    encoding: 'utf8',
  });
  expect(printed).toBe(`${version}\n`);
});

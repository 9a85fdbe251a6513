import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveControl } from '../../../src/cli/control.js';
import { start } from '../../faults/service-process.js';
import { startService } from '../../http/service.js';

const below = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name));

const openToOthers = (directory: string): string[] =>
  [directory, ...below(directory)].filter((path) => (lstatSync(path).mode & 0o077) !== 0);

test('no file of an embedded store is open to other users, also when it was', { timeout: 300_000 }, async () => {
  process.umask(0o022);
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  chmodSync(directory, 0o755);
  async function useOnce(content: string): Promise<void> {
    const service = await startService({ DATA_DIR: directory });
    const control = await serveControl(directory, service.app.maintenance);
    await service.call('POST', '/v1/memories', { content });
    await service.settled();
    await service.call('POST', '/v1/memories/search', { query: content });
    await service.app.database.maintain('vacuum');
    await service.app.database.maintain('checkpoint');
    expect(openToOthers(directory)).toEqual([]);
    await control.close();
    await service.stop();
    expect(openToOthers(directory)).toEqual([]);
  }
  await useOnce('The ferry leaves at nine.');
  // As an earlier version, or a careless copy, has left it.
  for (const path of [directory, ...below(directory)]) chmodSync(path, lstatSync(path).isDirectory() ? 0o777 : 0o666);
  await useOnce('The ferry leaves at ten.');
  rmSync(directory, { recursive: true, force: true });
});

test('no file that a service of its own writes is open to other users while it serves', {
  timeout: 300_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  const service = await start({ DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'error', OTS_CALENDARS: 'off' });
  const open = openToOthers(directory);
  await service.kill();
  rmSync(directory, { recursive: true, force: true });
  expect(open).toEqual([]);
});

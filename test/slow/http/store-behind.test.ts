import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { copyOf, prove } from '../../http/log-reader.js';
import { startService } from '../../http/service.js';
import { preparedDirectory } from '../../support/prepared-store.js';

const directories = [mkdtempSync(join(tmpdir(), 'counterfoil-behind-'))];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

it('says everywhere that it does not sign when the store is older than what was signed last', async () => {
  const [directory = ''] = directories;
  await preparedDirectory(directory);
  const env = { DATA_DIR: directory, BASE_URL: 'http://log.example.org' };
  const first = await startService(env);
  await prove(first, 'in the backup');
  await first.stop();
  const backup = copyOf(directory);
  directories.push(backup);
  const second = await startService(env);
  await prove(second, 'signed after the backup');
  await second.stop();
  // The store of the backup with the keys of today, which remember what was signed last.
  rmSync(join(backup, 'keys'), { recursive: true });
  cpSync(join(directory, 'keys'), join(backup, 'keys'), { recursive: true });

  const service = await startService({ ...env, DATA_DIR: backup, LOG_LEVEL: 'silent' });
  const ready = await service.call('GET', '/readyz');
  const sentence =
    'The transparency log is not signed: this store does not contain what was signed last. If that is lost permanently, its operator ends the log: counterfoil log succeed';
  expect(ready).toMatchObject({ status: 200, json: { status: 'ready', warnings: [sentence] } });
  expect(ready.text).not.toContain(backup);
  const metrics = await service.call('GET', '/metrics');
  expect(metrics.text).toContain('counterfoil_anchoring_failed{step="checkpoint"} 1');
  const leavesOf = (text: string) => /^counterfoil_log_leaves (\d+)$/m.exec(text)?.[1];
  const { text: checkpoint } = await service.call('GET', '/v1/ledger/checkpoint');

  const bundle = await prove(service, 'written after the restore');
  expect(bundle).toMatchObject({ unplaced: sentence });
  expect(bundle).not.toHaveProperty('checkpoint');
  const { json } = await service.call('POST', '/v1/receipts/verify', bundle);
  const claims = Object.fromEntries(
    json.claims.map((one: { name: string; state: string; text: string }) => [one.name, one]),
  );
  expect(claims.entry.state).toBe('verified');
  expect(claims.inclusion).toMatchObject({ state: 'absent', text: expect.stringContaining(sentence) });
  // Nothing went into the log either.
  expect(leavesOf((await service.call('GET', '/metrics')).text)).toBe(leavesOf(metrics.text));
  expect((await service.call('GET', '/v1/ledger/checkpoint')).text).toBe(checkpoint);
  await service.stop();
});

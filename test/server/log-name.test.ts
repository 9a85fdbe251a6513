import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start } from '../faults/service-process.js';
import { startService } from '../http/service.js';
import { dropDatabase, freshDatabase } from '../support/fresh-database.js';

it('no process names the log by the address at which it listens', async () => {
  const url = await freshDatabase();
  const unnamed = { DATABASE_URL: url, BASE_URL: '' };
  const sentence =
    /BASE_URL is missing: the transparency log of this database has not begun, .* the same for every process on this database\./;
  await expect(startService(unnamed)).rejects.toThrow(sentence);
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-name-'));
  await expect(start({ ...unnamed, DATA_DIR: directory, PORT: '0' })).rejects.toThrow(sentence);
  rmSync(directory, { recursive: true, force: true });

  const named = await startService({ DATABASE_URL: url, BASE_URL: 'https://log.example.org', ANCHOR_INTERVAL: '1h' });
  expect(await named.app.database.read((tx) => tx.query('select 1 from log_leaves'))).toEqual([]);
  const { json } = await named.call('POST', '/v1/memories', { content: 'The crane of the harbour.' });
  const checkpoint = async () => (await named.call('GET', '/v1/ledger/checkpoint')).text.split('\n')[0];
  expect((await named.call('GET', `/v1/receipts/${json.receipt_id}/proof`)).status).toBe(200);
  expect(await checkpoint()).toBe('log.example.org');
  const other = await startService(unnamed);
  await other.stop();
  expect(await checkpoint()).toBe('log.example.org');
  await named.stop();
  await dropDatabase(url);
});

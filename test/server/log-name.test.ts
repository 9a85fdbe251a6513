import { expect, it } from 'vitest';
import { startService } from '../http/service.js';
import { dropDatabase, freshDatabase } from '../support/fresh-database.js';

it('a process that would name the log by the address at which it listens says so, until the log has a name', async () => {
  const url = await freshDatabase();
  const unnamed = { DATABASE_URL: url, BASE_URL: '', LOG_LEVEL: 'warn', ANCHOR_INTERVAL: '1h' };
  const warned = ({ logged }: { logged: readonly string[] }) =>
    logged.filter((line) => line.includes('takes the permanent name 127.0.0.1:8080 from the address')).length;
  const first = await startService(unnamed);
  expect([warned(first), await first.app.database.read((tx) => tx.query('select 1 from log_leaves'))]).toEqual([1, []]);
  await first.stop();

  const named = await startService({ DATABASE_URL: url, BASE_URL: 'https://log.example.org', ANCHOR_INTERVAL: '1h' });
  const { json } = await named.call('POST', '/v1/memories', { content: 'The crane of the harbour.' });
  const checkpoint = async () => (await named.call('GET', '/v1/ledger/checkpoint')).text.split('\n')[0];
  expect((await named.call('GET', `/v1/receipts/${json.receipt_id}/proof`)).status).toBe(200);
  expect(await checkpoint()).toBe('log.example.org');
  const other = await startService(unnamed);
  expect(warned(other)).toBe(0);
  await other.stop();
  expect(await checkpoint()).toBe('log.example.org');
  await named.stop();
  await dropDatabase(url);
});

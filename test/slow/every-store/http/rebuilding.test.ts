import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/database/open.js';
import { type Service, startService } from '../../../http/service.js';
import { preparedStoreAddress, type StoreAddress } from '../../../support/new-store.js';
import { until } from '../../../support/until.js';

let address: StoreAddress;
let service: Service;
beforeEach(async () => {
  address = await preparedStoreAddress();
  service = await start(address);
});
afterEach(async () => {
  await service.stop();
  await address.remove();
});

/** The signing keys stay in the directory between two starts. */
const start = ({ store, directory }: StoreAddress) =>
  startService({ DATA_DIR: directory, ...(store.kind === 'server' ? { DATABASE_URL: store.url } : {}) });

/** Between two versions: the index is of another one, and another process holds the right to fill it until `go`. */
async function upgrade(): Promise<void> {
  await service.stop();
  const database = await openDatabase(address.store);
  await database.transaction(async (tx) => {
    await tx.query(`update projections set version = version - 1 where name = 'search'`);
    await tx.query(`insert into leases values ('rebuilding search', gen_random_uuid(), now() + interval '1 hour')`);
  });
  await database.close();
  service = await start(address);
}

const go = () =>
  service.app.database.transaction((tx) => tx.query(`delete from leases where name = 'rebuilding search'`));

const search = async (query: string) => (await service.call('POST', '/v1/memories/search', { query })).json;

async function write(content: string): Promise<string> {
  const { json, status } = await service.call('POST', '/v1/memories', { content });
  expect(status).toBe(202);
  await service.settled();
  return json.memory_id;
}

test('after an upgrade everything is served at once, and searches say that the index is being rebuilt', async () => {
  const heron = await write('the heron nests by the weir');
  const otter = await write('the otter sleeps by the weir');
  const ready = await service.call('GET', '/readyz');
  expect(ready.text).not.toContain('index');
  await upgrade();

  const during = await service.call('GET', '/readyz');
  expect([during.status, during.json.warnings]).toEqual([200, [expect.stringContaining('about 2 memories')]]);
  expect((await service.call('GET', '/metrics')).text).toContain('\ncounterfoil_search_rebuild_memories 2\n');
  expect((await service.call('GET', `/v1/memories/${heron}`)).json.content).toBe('the heron nests by the weir');
  expect((await service.call('GET', '/v1/memories')).json.data).toHaveLength(2);
  const list = await service.call('GET', '/v1/memories?q=weir');
  expect([list.status, list.json.error.code]).toEqual([503, 'search_unavailable']);
  expect(await search('weir')).toMatchObject({ degraded: ['reindexing'], data: [] });
  const coot = await write('the coot dives by the weir');
  expect(await search('weir')).toMatchObject({ degraded: ['reindexing'], data: [{ memory_id: coot }] });
  expect((await service.call('DELETE', `/v1/memories/${otter}`)).status).toBe(200);
  const invalidated = await service.call('POST', `/v1/memories/${coot}/invalidate`, { reason: 'seen wrongly' });
  expect(invalidated.status).toBe(200);

  await go();
  await until(async () => (await search('weir')).degraded.length === 0, 'the index is complete');
  expect((await search('weir')).data.map((hit: { memory_id: string }) => hit.memory_id)).toEqual([heron]);
  expect((await service.call('GET', '/v1/memories?q=otter')).json.data).toEqual([]);
  expect((await service.call('GET', '/v1/memories?q=heron')).json.data).toHaveLength(1);
  const after = await service.call('GET', '/readyz');
  expect(after.json.warnings).toEqual(ready.json.warnings);
  const fsck = await service.app.maintenance.get('fsck')?.([], () => undefined);
  expect(fsck?.text).toContain('No fault');
});

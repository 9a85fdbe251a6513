import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../../http/service.js';
import { stores } from '../../../support/stores.js';

const [store] = stores;
let service: Service;
let ids: string[];

const sql = (statement: string, params: readonly string[] = []) =>
  service.app.database.transaction((tx) => tx.query<{ n: number }>(statement, params));

async function maintain(command: string, args: readonly string[] = []): Promise<string> {
  const { text } = (await service.app.maintenance.get(command)?.(args, () => undefined)) ?? { text: 'no such command' };
  return text;
}

async function add(content: string): Promise<string> {
  const { json } = await service.call('POST', '/v1/memories', { content, source: 'lost' });
  return json.memory_id;
}

beforeAll(async () => {
  service = await startService();
  ids = [await add('a heron is in the reeds'), await add('a heron flies away'), await add('an otter swims')];
  await service.settled();
  // What a ledger is that was built from its entries, without the vault: here of two memories.
  await sql(
    `delete from vault where receipt_id in (select receipt_id from memories where id in ($1::uuid, $2::uuid))`,
    ids.slice(0, 2),
  );
  await sql('delete from jobs where memory_id in ($1::uuid, $2::uuid)', ids.slice(0, 2));
  await maintain('replay', ['memory', 'lost', 'search']);
});
afterAll(() => service.stop());

// @covers ES-LOST-1
it(`memories whose texts are lost are shown by no read on ${store}`, async () => {
  const [lost, , left] = ids;
  expect((await service.call('GET', `/v1/memories/${lost}`)).json.error.code).toBe('memory_not_found');
  const { json: list } = await service.call('GET', '/v1/memories');
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([left]);
  const { json: found } = await service.call('POST', '/v1/memories/search', { query: 'heron in the reeds' });
  expect(JSON.stringify(found)).not.toContain(lost);
  const { text: exported } = await service.call('GET', '/v1/memories/export');
  expect(exported).not.toContain(lost);
  expect(exported).toContain(left);
});

// @covers ES-LOST-2
it(`fsck names each of them as content lost on ${store}, until it is deleted by its id`, async () => {
  const [first, second] = ids;
  const lines = (await maintain('fsck')).split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(new RegExp(`^content lost: memory ${first}, entry \\d+ of workspace `));
  expect(lines[1]).toMatch(new RegExp(`^content lost: memory ${second}, `));

  const { status, json } = await service.call('DELETE', `/v1/memories/${first}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({ id: first, deleted: true });
  expect((await service.call('DELETE', `/v1/memories/${first}`)).status).toBe(404);
  expect(await maintain('fsck')).not.toContain(first);
  await service.call('DELETE', `/v1/memories/${second}`);
  expect(await maintain('fsck')).toMatch(/^No fault in /);
});

it(`a text that was lost can be added again on ${store}`, async () => {
  const id = await add('a heron is in the reeds');
  expect(ids).not.toContain(id);
  await service.settled();
  expect((await service.call('GET', `/v1/memories/${id}`)).status).toBe(200);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { fsck } from '../../../src/maintenance/fsck.js';
import { fill, models, newStore, type Store } from '../../maintenance/store.js';

let store: Store;
let ids: string[];
beforeAll(async () => {
  store = await newStore();
  ({ ids } = await fill(store));
});
afterAll(() => store.close());

const faults = async () => (await fsck(store.database, models, { onProgress: () => undefined })).faults;
const noOne = '00000000-0000-4000-8000-000000000001';
const queue = (id: string, webhook: string, memory: string) =>
  store.sql(
    `insert into deliveries (id, webhook_id, memory_id, state, run_after, created_at, updated_at)
     values ($1, $2, $3, 'pending', now(), now(), now())`,
    [id, webhook, memory],
  );

test('deliveries of no memory and for no webhook, and the health of none', async () => {
  const [webhook] = await store.sql<{ id: string }>('select id::text from webhooks limit 1');
  await queue('00000000-0000-4000-8000-00000000000a', webhook?.id ?? '', ids[0] ?? '');
  expect(await faults()).toBeNull();
  await queue('00000000-0000-4000-8000-00000000000b', noOne, ids[0] ?? '');
  expect(await faults()).toMatch(/delivery 0{8}-.*b of the table deliveries belongs to no webhook/);
  await store.sql('delete from deliveries where webhook_id = $1', [noOne]);
  await queue('00000000-0000-4000-8000-00000000000c', webhook?.id ?? '', noOne);
  expect(await faults()).toMatch(/delivery 0{8}-.*c of the table deliveries belongs to no memory/);
  await store.sql('delete from deliveries where memory_id = $1', [noOne]);
  await store.sql('insert into webhook_health values ($1, now(), 200, null, false)', [noOne]);
  expect(await faults()).toContain(`The row ${noOne} of the table webhook_health belongs to no webhook.`);
});

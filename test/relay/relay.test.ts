// @projects engines
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { relayHealth } from '../../src/workers/relay/health.js';
import { kafkaBrokers } from '../engines.js';
import { newStore, type Store } from '../maintenance/store.js';
import { startRelay, until } from './process.js';
import { clientOf, readTopic, withoutRepetitions } from './topic.js';

const brokers = kafkaBrokers();
const topics: string[] = [];
let store: Store;
beforeAll(async () => {
  store = await newStore();
});
afterAll(async () => {
  await store.close();
  const admin = clientOf(brokers).admin();
  await admin.connect();
  const there = await admin.listTopics();
  await admin.deleteTopics({ topics: topics.filter((topic) => there.includes(topic)) });
  await admin.disconnect();
});

function newTopic(): string {
  const topic = `relay-test-${randomUUID()}`;
  topics.push(topic);
  return topic;
}

const lag = async () =>
  (await store.database.read((tx) => relayHealth(tx, 'entries'))).lags.get('relay')?.entries ?? Number.NaN;

// @covers RELAY-BYTES
it('sends every entry of workspaces unchanged and in order', async () => {
  const topic = newTopic();
  const callers = [await store.openWorkspace(), await store.openWorkspace()];
  for (let i = 0; i < 5; i += 1) for (const caller of callers) await store.add(caller, `text ${i} ünï`);
  const relay = await startRelay(store, brokers, topic);
  await until(async () => (await lag()) === 0);
  await relay.stop();
  const chains = withoutRepetitions(await readTopic(brokers, topic));
  const rows = await store.sql<{ chain: string; seq: number; bytes: Buffer; hash: string; tag_key: Buffer }>(
    `select e.chain::text, e.seq, e.bytes, encode(e.hash, 'hex') as hash, c.tag_key from entries e join chains c using (chain)
      where chain::text <> all ($1) order by e.chain, e.seq`,
    [['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  );
  expect(chains.size).toBe(new Set(rows.map(({ chain }) => chain)).size);
  for (const { chain, seq, bytes, hash, tag_key } of rows) {
    const key = createHmac('sha256', tag_key).update(chain).digest('hex');
    const record = chains.get(key)?.[seq - 1];
    expect(record?.value.equals(Buffer.from(bytes))).toBe(true);
    const { kind } = JSON.parse(String(record?.value));
    expect(record?.headers).toEqual({ hash, seq: String(seq), kind, 'content-type': 'application/json' });
    expect(record?.key).toMatch(/^[0-9a-f]{64}$/);
  }
});

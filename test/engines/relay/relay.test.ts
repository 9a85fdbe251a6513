import { createHmac, randomUUID } from 'node:crypto';
import { type Admin, default as kafkajs } from 'kafkajs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { relay as relayCommand } from '../../../src/maintenance/relay.js';
import { relayHealth } from '../../../src/workers/relay/health.js';
import { newStore, type Store } from '../../maintenance/store.js';
import { startRelay, until } from '../../relay/process.js';
import { clientOf, readTopic, withoutRepetitions } from '../../relay/topic.js';
import { kafkaBrokers } from '../../support/engines.js';

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

const health = () => store.database.read((tx) => relayHealth(tx, 'entries'));
const lag = async () => (await health()).lags.get('relay')?.entries ?? Number.NaN;
const caughtUp = () => until(async () => (await lag()) === 0);

/** Runs a relay until it has sent everything. */
async function relayed(topic: string): Promise<void> {
  const relay = await startRelay(store, brokers, topic);
  await until(async () => (await stored(topic)) && (await lag()) === 0);
  await relay.stop();
}

const stored = async (topic: string) =>
  (await store.sql('select 1 from relay_topics where topic = $1 and partitions is not null', [topic])).length > 0;

async function asAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = clientOf(brokers).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** The number of entries of workspaces in the ledger. */
async function entryCount(): Promise<number> {
  const [row] = await store.sql<{ total: number }>(
    `select sum(head_seq)::bigint as total from chains where chain::text not like '00000000-%' and chain::text not like 'ffffffff-%'`,
  );
  return row?.total ?? 0;
}

async function sentCount(topic: string): Promise<number> {
  const chains = withoutRepetitions(await readTopic(brokers, topic));
  for (const records of chains.values()) {
    expect(records.map(({ headers }) => Number(headers.seq))).toEqual(records.map((_, i) => i + 1));
  }
  return [...chains.values()].reduce((sum, records) => sum + records.length, 0);
}

// @covers RELAY-BYTES
it('sends every entry of workspaces unchanged and in order', async () => {
  const topic = newTopic();
  const callers = [await store.openWorkspace(), await store.openWorkspace()];
  for (let i = 0; i < 5; i += 1) for (const caller of callers) await store.add(caller, `text ${i} ünï`);
  const relay = await startRelay(store, brokers, topic);
  await caughtUp();
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

// @covers RELAY-FORK RELAY-RESET
it('sends nothing for a chain that is ahead in the topic, until it is reset to another topic', async () => {
  const topic = newTopic();
  const [first, second, third] = [
    await store.openWorkspace(),
    await store.openWorkspace(),
    await store.openWorkspace(),
  ];
  await store.add(first, 'an entry that the topic has otherwise');
  await relayed(topic);
  const [head] = await store.sql<{ head_seq: number }>('select head_seq from chains where chain = $1', [
    first.workspaceId,
  ]);
  const lost = head?.head_seq ?? 0;
  // Of a database that was restored: one chain is ahead in the topic, and one has another entry there.
  const ahead = JSON.stringify({ workspace_id: third.workspaceId, seq: 1000 });
  const producer = clientOf(brokers).producer();
  await producer.connect();
  await producer.send({ topic, messages: [{ key: 'any', value: ahead }] });
  await producer.disconnect();
  await store.sql(`update relay_partitions set next_offset = 0 where topic = $1`, [topic]);
  await store.sql(`update entries set hash = decode(repeat('ab', 32), 'hex') where chain = $1 and seq = $2`, [
    first.workspaceId,
    lost,
  ]);
  const before = (await readTopic(brokers, topic)).length;
  const relay = await startRelay(store, brokers, topic);
  await until(async () => (await health()).stoppedChains.get('forked') === 2);
  await store.sql(`update entries set hash = sha256('\\x00'::bytea || bytes) where chain = $1 and seq = $2`, [
    first.workspaceId,
    lost,
  ]);
  await store.add(first, 'after the fork');
  await store.add(second, 'of a whole chain');
  await until(async () => (await lag()) === 1);
  expect((await health()).problems.join()).toContain('relay: forked');
  const after = await readTopic(brokers, topic);
  expect(after.length - before).toBe(1);
  const next = newTopic();
  const reset = relayCommand(store.database);
  await expect(reset(['reset', topic, 'entries'], () => undefined)).rejects.toThrow('has used the topic');
  expect((await reset(['reset', next, 'entries'], () => undefined)).ok).toBe(true);
  await until(async () => (await stored(next)) && (await lag()) === 0);
  await relay.stop();
  expect((await health()).problems).toEqual([]);
  expect(await sentCount(next)).toBe(await entryCount());
});

// @covers RELAY-REFUSED
it('stops the chain of an entry that the broker refuses, and sends it once the topic takes it', async () => {
  const topic = newTopic();
  const configure = (bytes: string) =>
    asAdmin((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: kafkajs.ConfigResourceTypes.TOPIC,
            name: topic,
            configEntries: [{ name: 'max.message.bytes', value: bytes }],
          },
        ],
      }),
    );
  await relayed(topic);
  await configure('300');
  const caller = await store.openWorkspace();
  const relay = await startRelay(store, brokers, topic);
  await until(async () => (await health()).stoppedChains.get('refused') === 1);
  expect((await health()).problems.join()).toContain('max.message.bytes');
  expect(await lag()).toBeGreaterThan(0);
  await configure('2097152');
  await caughtUp();
  await until(async () => (await health()).stoppedChains.size === 0);
  await relay.stop();
  expect(caller.workspaceId).toBeDefined();
  expect(await sentCount(topic)).toBe(await entryCount());
});

// @covers RELAY-TOPIC
it('stops when the topic gets more partitions, and reports compaction and finite retention', async () => {
  const topic = newTopic();
  await asAdmin((admin) =>
    admin.createTopics({
      topics: [
        {
          topic,
          numPartitions: 2,
          configEntries: [
            { name: 'cleanup.policy', value: 'compact,delete' },
            { name: 'retention.ms', value: '1000000' },
          ],
        },
      ],
    }),
  );
  await relayed(topic);
  expect((await health()).problems.join()).toContain('is compacted');
  // Before the new partition, which for a moment has no leader that could be asked.
  const before = (await readTopic(brokers, topic)).length;
  await asAdmin((admin) => admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] }));
  await store.openWorkspace();
  const relay = await startRelay(store, brokers, topic);
  await until(async () => (await health()).problems.join().includes('relay: stopped'));
  await relay.stop();
  expect((await readTopic(brokers, topic)).length).toBe(before);
});

// @covers RELAY-LOST
it('sends everything again to a topic that was deleted or has lost records', async () => {
  const topic = newTopic();
  await relayed(topic);
  await asAdmin((admin) => admin.deleteTopics({ topics: [topic] }));
  await store.openWorkspace();
  await until(async () => !(await asAdmin((admin) => admin.listTopics())).includes(topic));
  await relayed(topic);
  expect(await sentCount(topic)).toBe(await entryCount());
  expect((await health()).problems.join()).toContain('had lost records');
  // Restored older than the positions.
  await store.sql('update relay_partitions set next_offset = next_offset + 100 where topic = $1', [topic]);
  const before = (await readTopic(brokers, topic)).length;
  const relay = await startRelay(store, brokers, topic);
  await until(async () => (await readTopic(brokers, topic)).length >= 2 * before);
  await relay.stop();
  expect(await sentCount(topic)).toBe(await entryCount());
});

// @covers RELAY-LEASE
it('shares the chains between two processes, and loses nothing when one loses its leases', async () => {
  const topic = newTopic();
  const callers = [];
  for (let i = 0; i < 4; i += 1) callers.push(await store.openWorkspace());
  const relays = [await startRelay(store, brokers, topic), await startRelay(store, brokers, topic)];
  for (let i = 0; i < 10; i += 1) {
    for (const caller of callers) await store.add(caller, `text ${i}`);
    await store.sql(`update followers set owner = null, fence = fence + 1 where name = $1`, [`relay:${topic}`]);
  }
  await until(async () => (await stored(topic)) && (await lag()) === 0);
  for (const relay of relays) await relay.stop();
  expect(await sentCount(topic)).toBe(await entryCount());
});

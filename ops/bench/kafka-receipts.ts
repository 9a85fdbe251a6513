import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import kafkajs from 'kafkajs';
import { machineLine, table } from './machine.js';
import { benchKey, startService, temporaryDirectory } from './service.js';

const { Kafka, logLevel } = kafkajs;
const partitions = 12;

/**
 * Records and receipts per second that the service takes from a topic, with one receipt in each record and with batches. The
 * records are in the topic before the service starts to take them. KAFKA_BROKERS names the broker.
 */
export async function benchKafkaReceipts(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { records: { type: 'string', default: '5000' } } });
  const brokers = process.env.KAFKA_BROKERS;
  if (!brokers) throw new Error('KAFKA_BROKERS is not set: run eval "$(ops/engines start kafka)" first');
  const rows = [];
  for (const perRecord of [1, 10, 100]) {
    const records = Math.max(1, Math.round(Number(values.records) / Math.sqrt(perRecord)));
    const seconds = await taking(brokers, records, perRecord, env);
    const perSecond = records / seconds;
    rows.push([String(perRecord), String(records), perSecond.toFixed(0), (perSecond * perRecord).toFixed(0)]);
  }
  console.log(
    table([[machineLine()], [], ['receipts in a record', 'records', 'records a second', 'receipts a second'], ...rows]),
  );
}

/** @returns the seconds from the first record that is done to the last one */
async function taking(
  brokers: string,
  records: number,
  perRecord: number,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const topic = `bench-receipts-${randomBytes(6).toString('hex')}`;
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const [admin, producer] = [kafka.admin(), kafka.producer({ allowAutoTopicCreation: false })];
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({ waitForLeaders: true, topics: [topic, `${topic}.dead`].map((name) => made(name)) });
  for (let at = 0; at < records; at += 100) {
    const some = Array.from({ length: Math.min(100, records - at) }, (_, more) =>
      recordOf(topic, at + more, perRecord),
    );
    await producer.send({ topic, messages: some });
  }
  const store = temporaryDirectory();
  const keyFile = join(store.path, 'kafka-key');
  writeFileSync(keyFile, benchKey);
  chmodSync(keyFile, 0o600);
  const service = await startService(store.path, 8197, {
    ...env,
    KAFKA_BROKERS: brokers,
    KAFKA_ENTRIES_TOPIC: `${topic}.entries`,
    KAFKA_RECEIPTS_TOPIC: topic,
    KAFKA_RECEIPTS_KEY_FILE: keyFile,
    KAFKA_GROUP: topic,
  });
  const done = async () => {
    const [offsets] = await admin.fetchOffsets({ groupId: topic, topics: [topic] });
    return (offsets?.partitions ?? []).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
  };
  const until = async (count: number) => {
    while ((await done()) < count) await new Promise((resolve) => setTimeout(resolve, 20));
    return performance.now();
  };
  const first = await until(1);
  const before = await done();
  const last = await until(records);
  await service.stop();
  store.remove();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(topic));
  await admin.deleteTopics({ topics });
  await Promise.all([admin.disconnect(), producer.disconnect()]);
  return ((last - first) / 1000) * (records / Math.max(1, records - before));
}

const made = (topic: string) => ({ topic, numPartitions: partitions, replicationFactor: -1 });

function recordOf(topic: string, number: number, perRecord: number) {
  const receipts = Array.from({ length: perRecord }, (_, at) => ({
    receipt_id: `${topic}-${number}-${at}`,
    agent_handle: '@archive',
    platform: 'sdk',
    started_at: '2026-01-15T09:26:40Z',
    ended_at: '2026-01-15T09:26:53Z',
    status: 'success',
    task_summary: 'Filed the letters of January.',
    tool_calls: [{ tool: 'files.move', ok: true, latency_ms: 120 }],
  }));
  return { key: String(number), value: JSON.stringify(perRecord === 1 ? receipts[0] : { receipts }) };
}

import { randomBytes } from 'node:crypto';
import kafkajs from 'kafkajs';
import { type Load, latencies, load } from './load.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { randomStream, sentence } from './words.js';

const { Kafka, logLevel } = kafkajs;
const clients = 8;
/** Nothing listens there: a broker that is away for as long as the service runs. */
const away = '127.0.0.1:1';

/**
 * Entries per second that the relay sends to a topic, beginning with a store of `count` writes; and how long writes take without a
 * relay (the baseline), with one that keeps up, and with one whose broker is away. KAFKA_BROKERS names the broker.
 */
export async function benchRelay(count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const brokers = process.env.KAFKA_BROKERS;
  if (!brokers) throw new Error('KAFKA_BROKERS is not set: run eval "$(ops/engines start kafka)" first');
  const topic = `bench-relay-${randomBytes(6).toString('hex')}`;
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const store = temporaryDirectory();
  const relaying = { ...env, KAFKA_BROKERS: brokers, KAFKA_ENTRIES_TOPIC: topic };
  try {
    const without = await during(store.path, env, (service) => writes(service, count, 'without'));
    const perSecond = await during(store.path, relaying, () => relayed(admin, topic, count));
    const keepingUp = await during(store.path, relaying, (service) => writes(service, count, 'with'));
    const whileAway = await during(store.path, { ...relaying, KAFKA_BROKERS: away }, (service) =>
      writes(service, count, 'away'),
    );
    const row = (name: string, result: Load) => [
      name,
      result.perSecond.toFixed(0),
      (result.perSecond / without.perSecond).toFixed(2),
      ...latencies(result),
    ];
    const head = ['writes, 8 clients', 'per second', 'ratio', 'p50 ms', 'p95 ms', 'p99 ms'];
    const rows = [row('no relay', without), row('relay keeps up', keepingUp), row('broker is away', whileAway)];
    console.log(table([[machineLine()], [], head, ...rows, [], ['relay, entries a second', perSecond.toFixed(0)]]));
  } finally {
    store.remove();
    if ((await admin.listTopics()).includes(topic)) await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  }
}

async function during<T>(
  directory: string,
  env: Readonly<Record<string, string>>,
  work: (service: BenchService) => Promise<T>,
): Promise<T> {
  const service = await startService(directory, 8198, env);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function writes(service: BenchService, count: number, name: string): Promise<Load> {
  const random = randomStream(name.length);
  const result = await load(service, clients, count, (send, i) =>
    send('POST', '/v1/memories', { content: `${name} ${i} ${sentence(random, 10, 40)}` }),
  );
  await untilSettled(service);
  return result;
}

/** @returns entries per second from the first one in the topic to the last */
async function relayed(admin: ReturnType<InstanceType<typeof Kafka>['admin']>, topic: string, count: number) {
  const sent = async () => {
    if (!(await admin.listTopics()).includes(topic)) return 0;
    // A topic that was just made has no leaders for a moment.
    const offsets = await admin.fetchTopicOffsets(topic).catch(() => []);
    return offsets.reduce((sum, { offset }) => sum + Number(offset), 0);
  };
  const until = async (wanted: number) => {
    for (;;) {
      const now = await sent();
      if (now >= wanted) return { now, at: performance.now() };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const first = await until(1);
  const last = await until(count);
  return (1000 * (last.now - first.now)) / (last.at - first.at);
}

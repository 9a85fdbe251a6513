import { randomUUID } from 'node:crypto';
import { type KafkaConnection, openKafka } from '../../src/adapters/kafka/connection.js';
import { realWorld } from '../../src/base/world.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import type { KafkaSetting } from '../../src/settings/engines.js';
import { createWorker, type Worker } from '../../src/workers/loop.js';
import { createRelay } from '../../src/workers/relay/relay.js';
import type { Stream } from '../../src/workers/relay/topics.js';
import type { Store } from '../maintenance/store.js';

export const silent = process.env.SHOW
  ? console
  : { error: () => undefined, warn: () => undefined, info: () => undefined };

export const plain = (brokers: string): KafkaSetting => ({
  brokers: brokers.split(','),
  tls: undefined,
  sasl: undefined,
  entriesTopic: '',
  partitions: 3,
  logTopic: undefined,
  receipts: undefined,
});

/** Another process appends: no notification ever comes, and everything is looked at often. */
const polled: Pick<Ledger, 'follow'> = {
  async *follow(signal) {
    while (!signal.aborted) {
      yield 'unknown';
      await realWorld.sleep(50, signal);
    }
  },
};

interface RelayOptions {
  readonly owner?: string;
  readonly partitions?: number;
  readonly stream?: Stream;
  readonly leaseMs?: number;
  readonly log?: typeof silent;
  readonly kafka?: KafkaConnection;
}

/** A relay as a process of its own would run it. */
export async function startRelay(
  store: Pick<Store, 'database'>,
  brokers: string,
  topic: string,
  options: RelayOptions = {},
) {
  const log = options.log ?? silent;
  const kafka = options.kafka ?? (await openKafka(plain(brokers), silent));
  const relay = createRelay(
    {
      database: store.database,
      ledger: polled,
      owner: options.owner ?? randomUUID(),
      log,
      kafka,
      stream: options.stream ?? 'entries',
      topic,
      partitions: options.partitions ?? 3,
      ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    },
    () => worker.wake(),
  );
  const worker: Worker = createWorker({ world: realWorld, log }, relay.job);
  worker.start();
  return {
    relay,
    stop: () => worker.stop(),
  };
}

export async function until(condition: () => Promise<boolean> | boolean, ms = 120_000): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < ms) {
    if (await condition()) return performance.now() - begun;
    await realWorld.sleep(25);
  }
  throw new Error(`it did not happen within ${ms} ms`);
}

import type { Logger } from 'pino';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Ledger } from '../ledger/ledger.js';
import { createWorker, type Worker } from '../workers/loop.js';
import { createRelayHealth } from '../workers/relay/health.js';
import { createRelay } from '../workers/relay/relay.js';
import type { Stream } from '../workers/relay/topics.js';
import type { Engine } from './engines.js';
import type { OpenedKafka } from './kafka.js';

export interface RelayParts {
  readonly background: Database;
  readonly ledger: Ledger;
  readonly world: World;
  readonly log: Logger;
  /** See `createLease`. */
  readonly owner: string;
}

/** The sending of entries to Kafka. */
export function relayEngine(
  { kafka, setting }: OpenedKafka,
  { background, ledger, world, log, owner }: RelayParts,
): Engine {
  const { entriesTopic, logTopic, partitions } = setting;
  const topics: readonly (readonly [Stream, string])[] = [
    ['entries', entriesTopic],
    ...(logTopic === undefined ? [] : [['log', logTopic] as const]),
  ];
  const relays = topics.map(([stream, topic]) => {
    const relay = createRelay({ database: background, ledger, log, owner, kafka, stream, topic, partitions }, () =>
      worker.wake(),
    );
    const worker: Worker = createWorker({ world, log }, relay.job);
    return { stream, relay, worker };
  });

  return {
    workers: relays.map(({ worker }) => ['webhooks', worker] as const),
    health: createRelayHealth({
      database: background,
      problem: kafka.problem,
      relays: relays.map(({ stream, relay }) => ({ stream, fault: relay.fault })),
    }),
    async close() {
      for (const { relay } of relays) relay.discard();
    },
  };
}

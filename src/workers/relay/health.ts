import { logChain, registryChain } from '../../../contracts/chains.js';
import type { EngineHealth } from '../../adapters/gauges/engines.js';
import type { Database, Row, Transaction } from '../../database/database.js';
import { type Among, lagOf } from '../../ledger/positions.js';
import { type StopSummary, stopSummaries } from './stops.js';
import { currentTopic, followerOf, type Stream } from './topics.js';

type RelayHealth = Pick<EngineHealth, 'problems' | 'lags'> & Required<Pick<EngineHealth, 'stoppedChains'>>;

interface FaultRow extends Row {
  stopped: string | null;
  warning: string | null;
  is_rewound: boolean;
}

const outside = [logChain, registryChain];
/** The name of a stream's follower in metrics. */
const namesOf: Readonly<Record<Stream, string>> = { entries: 'relay', log: 'relay_log' };
const chainsOf: Readonly<Record<Stream, Among>> = { entries: { except: outside }, log: { only: outside } };

interface Parts {
  readonly database: Database;
  /** A sentence: why the brokers are of no use; null while they are. */
  problem(): Promise<string | null>;
  readonly relays: readonly { readonly stream: Stream; fault(): string | null }[];
}

/** The state of the sending of entries to Kafka, for metrics and readiness. */
export function createRelayHealth({ database, problem, relays }: Parts): () => Promise<EngineHealth> {
  return async () => {
    const away = await problem();
    const streams = await database
      .read((tx) => Promise.all(relays.map(({ stream }) => relayHealth(tx, stream))))
      // When the database does not answer, that is reported already.
      .catch(() => []);
    const stoppedChains = new Map<string, number>();
    for (const [reason, chains] of streams.flatMap((stream) => [...stream.stoppedChains])) {
      stoppedChains.set(reason, chains + (stoppedChains.get(reason) ?? 0));
    }
    return {
      engine: 'kafka',
      isUp: away === null,
      problems: [
        ...(away === null ? [] : [`${away} Entries wait in the ledger and are sent later.`]),
        ...streams.flatMap(({ problems }) => problems),
        ...relays.flatMap((relay) => relay.fault() ?? []),
      ],
      lags: new Map(streams.flatMap(({ lags }) => [...lags])),
      stoppedChains,
    };
  };
}

/** The state of a stream as the database has it, in any process, whether it runs the relay or not. */
export async function relayHealth(tx: Transaction, stream: Stream): Promise<RelayHealth> {
  const current = await currentTopic(tx, stream);
  if (current === null) return { problems: [], lags: new Map(), stoppedChains: new Map() };
  const { topic } = current;
  const [faults] = await tx.query<FaultRow>(
    `select stopped, warning, coalesce(rewound > now() - interval '1 day', false) as is_rewound
       from relay_topics where topic = $1`,
    [topic],
  );
  const stops = await stopSummaries(tx, topic);
  const rewound = faults?.is_rewound
    ? [`The Kafka topic ${topic} had lost records, so all entries are sent to it again.`]
    : [];
  return {
    problems: [
      ...[faults?.stopped, faults?.warning].flatMap((sentence) => sentence ?? []),
      ...rewound,
      ...stops.map((stop) => sentenceOf(topic, stop)),
    ],
    lags: new Map([[namesOf[stream], await lagOf(tx, followerOf(topic), chainsOf[stream])]]),
    stoppedChains: new Map(stops.map(({ reason, chains }) => [reason, chains])),
  };
}

function sentenceOf(topic: string, { reason, chains, chain, detail }: StopSummary): string {
  const count = chains === 1 ? 'one chain' : `${chains} chains`;
  if (reason === 'forked') {
    return (
      `relay: forked. The Kafka topic ${topic} holds entries of ${count} that are not in the ledger; the first is of chain ` +
      `${chain}: ${detail}. Nothing is sent for them. Run counterfoil relay reset --topic NEW.`
    );
  }
  return (
    `relay: stopped for ${count}, because the Kafka broker refuses an entry; the first is of chain ${chain}: ${detail}. ` +
    `Raise max.message.bytes of the topic ${topic}; nothing is skipped.`
  );
}

import { logChain, registryChain } from '../../../contracts/chains.js';
import type { EngineHealth } from '../../adapters/metrics.js';
import type { Row, Transaction } from '../../database/database.js';
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

import kafkajs, { type LogEntry } from 'kafkajs';

const { logLevel } = kafkajs;

export interface KafkaLog {
  readonly info: Line;
  readonly warn: Line;
  readonly error: Line;
}

type Line = (members: object, text: string) => void;

/** How long the same line is not written again. A client that cannot connect repeats its lines at each attempt. */
const repeatMs = 60_000;
const linesAtMost = 200;
/** A producer of ours is discarded after its first error, so its retries need no higher bound. */
const ignored = 'Limiting retries for the idempotent producer may invalidate EoS guarantees';

/**
 * The lines of the client library, as lines of our log. Only members that hold no secret are copied: other members may
 * quote settings and requests.
 */
export function logCreatorOf(log: KafkaLog) {
  const written = new Map<string, number>();
  return () => (entry: LogEntry) => {
    const { broker, topic, groupId } = entry.log;
    const message = entry.log.message.split('\n')[0];
    const members = { kafka: entry.namespace, broker, topic, group: groupId };
    if (message === ignored) return;
    const line = `${entry.level} ${JSON.stringify(members)} ${message}`;
    const now = performance.now();
    if (now - (written.get(line) ?? Number.NEGATIVE_INFINITY) < repeatMs) return;
    if (written.size >= linesAtMost) written.clear();
    written.set(line, now);
    // What the library calls an error it mostly repeats by itself. What fails in the end is logged by the caller.
    if (entry.level === logLevel.INFO) log.info(members, `Kafka client: ${message}`);
    else log.warn(members, `Kafka client: ${message}`);
  };
}

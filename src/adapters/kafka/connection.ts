import tls from 'node:tls';
import kafkajs, { type Admin, type Consumer, type KafkaConfig, type SASLOptions } from 'kafkajs';
import type { KafkaSasl, KafkaSetting } from '../../settings/engines.js';
import { WrongSetting } from '../../settings/wrong-setting.js';
import { reasonOf } from './faults.js';
import { type KafkaLog, logCreatorOf } from './log-lines.js';
import { createProbe, problemOf, problemOfListeners } from './problem.js';
import { openProducer, type RecordProducer } from './producer.js';
import { createSockets } from './sockets.js';
import { within } from './within.js';

const { Kafka, logLevel } = kafkajs;

/** The brokers of the settings. Every client has its own sockets, so that one can be discarded while others continue. */
export interface KafkaConnection {
  /** A sentence that says why no broker has answered lately; null when one has. When that is some seconds old, it asks again. */
  problem(): Promise<string | null>;
  /** Does some administrative calls within `ms`, and discards the client. */
  asAdmin<T>(work: (admin: Admin) => Promise<T>, ms?: number): Promise<T>;
  /** A new idempotent producer. The caller discards it after the first error. @param ms how long a send may last */
  producer(ms: number): Promise<RecordProducer>;
  /** A consumer that comes back within 6 s after its process died. */
  consumer(groupId: string, options?: ConsumerOptions): { readonly consumer: Consumer; discard(): void };
}

interface ConsumerOptions {
  readonly maxBytesPerPartition?: number;
  readonly maxBytes?: number;
  /** How long a broker waits for records before it answers that there are none. */
  readonly maxWaitTimeInMs?: number;
}

const clientId = 'counterfoil';
const connectMs = 3000;
const adminMs = 15_000;
const probeMs = 5000;
/** Within one call the library tries again this often. */
const retry = { initialRetryTime: 100, maxRetryTime: 1000, retries: 5 };

/**
 * Opens the connection, which tries the settings once. Brokers that are away do not matter here.
 * @throws WrongSetting when the answer of a broker, or its certificate, shows that a setting is wrong
 */
export async function openKafka(setting: KafkaSetting, log: KafkaLog): Promise<KafkaConnection> {
  const ssl = secureContextOf(setting);
  const logCreator = logCreatorOf(log);
  function client(requestMs: number) {
    const sockets = createSockets();
    const config: KafkaConfig = {
      clientId,
      brokers: [...setting.brokers],
      connectionTimeout: connectMs,
      authenticationTimeout: connectMs,
      requestTimeout: requestMs,
      retry,
      socketFactory: sockets.factory,
      logLevel: logLevel.WARN,
      logCreator: () => {
        const write = logCreator();
        return (entry) => (sockets.isDestroyed() ? undefined : write(entry));
      },
    };
    if (ssl !== undefined) config.ssl = ssl;
    if (setting.sasl !== undefined) config.sasl = saslOf(setting.sasl);
    return { kafka: new Kafka(config), discard: sockets.destroy };
  }

  async function asAdmin<T>(work: (admin: Admin) => Promise<T>, ms = adminMs): Promise<T> {
    const { kafka, discard } = client(ms);
    const admin = kafka.admin();
    try {
      return await within(
        ms,
        admin.connect().then(() => work(admin)),
      );
    } finally {
      discard();
    }
  }

  const probe = createProbe(async () => {
    try {
      await asAdmin((admin) => admin.describeCluster(), probeMs);
      return null;
    } catch (error) {
      return problemOf(error) ?? (await problemOfListeners(setting, ssl));
    }
  });
  const problem = await probe.first();
  if (problem?.isWrongSetting) throw new WrongSetting(problem.sentence);
  if (problem) log.warn({}, problem.sentence);

  return {
    problem: async () => (await probe.lately())?.sentence ?? null,
    asAdmin,
    async producer(ms) {
      const { kafka, discard } = client(ms);
      return openProducer(kafka, discard, ms);
    },
    consumer(groupId, options = {}) {
      const { kafka, discard } = client(adminMs);
      // The group waits this number of milliseconds for the consumer of a killed process.
      const consumer = kafka.consumer({
        groupId,
        sessionTimeout: 6000,
        heartbeatInterval: 1500,
        allowAutoTopicCreation: false,
        // A consumer that crashed is discarded by its user, who makes another one.
        retry: { ...retry, restartOnFailure: async () => false },
        ...options,
      });
      return { consumer, discard };
    },
  };
}

/** @throws WrongSetting when a file holds no certificate or key, or these two do not belong together */
function secureContextOf({ tls: setting }: KafkaSetting): tls.ConnectionOptions | undefined {
  if (setting === undefined) return undefined;
  const { ca, cert, key } = setting;
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  try {
    tls.createSecureContext(files);
  } catch (error) {
    throw new WrongSetting(
      `KAFKA_CA_FILE, KAFKA_CERT_FILE or KAFKA_KEY_FILE is wrong: they must be PEM files that belong together (${reasonOf(error)}).`,
    );
  }
  return files;
}

/** The library writes into this object, so each client gets its own. */
function saslOf({ mechanism, username, password }: KafkaSasl): SASLOptions {
  return { mechanism, username, password };
}

import tls from 'node:tls';
import kafkajs, { type Admin, type Consumer, type KafkaConfig, type SASLOptions } from 'kafkajs';
import type { KafkaSasl, KafkaSetting } from '../../engine-settings.js';
import { WrongSetting } from '../../wrong-setting.js';
import { faultOf, reasonOf } from './faults.js';
import { type KafkaLog, logCreatorOf } from './log-lines.js';
import { openProducer, type RecordProducer } from './producer.js';
import { createSockets } from './sockets.js';
import { within } from './within.js';

const { Kafka, logLevel } = kafkajs;

/** The brokers of the settings. Every client has its own sockets, so that one can be discarded while others continue. */
export interface KafkaConnection {
  /** Whether a broker has answered lately. When the last answer is some seconds old, it asks again. */
  isUp(): Promise<boolean>;
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
/** How long the answer of a broker counts for `isUp`, and how long `isUp` waits for one. */
const probe = { everyMs: 5000, waitMs: 800, longestMs: 5000 };
/** Within one call the library tries again this often. */
const retry = { initialRetryTime: 100, maxRetryTime: 1000, retries: 5 };

/**
 * Opens the connection, which tries the settings once. Brokers that are away do not matter here.
 * @throws WrongSetting when the brokers refuse the credentials, or when certificates do not fit
 */
export async function openKafka(setting: KafkaSetting, log: KafkaLog): Promise<KafkaConnection> {
  const ssl = secureContextOf(setting);
  const logCreator = logCreatorOf(log);
  let answered = { at: Number.NEGATIVE_INFINITY, isUp: false };
  let asking: Promise<boolean> | undefined;

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

  async function ask(): Promise<boolean> {
    const isUp = await asAdmin((admin) => admin.describeCluster(), probe.longestMs).then(
      () => true,
      () => false,
    );
    answered = { at: performance.now(), isUp };
    asking = undefined;
    return isUp;
  }

  await tryOnce(() => asAdmin((admin) => admin.describeCluster(), probe.longestMs));

  return {
    async isUp() {
      if (performance.now() - answered.at < probe.everyMs) return answered.isUp;
      asking ??= ask();
      return within(probe.waitMs, asking).catch(() => answered.isUp);
    },
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

async function tryOnce(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    const fault = faultOf(error);
    if (fault === 'credentials') {
      throw new WrongSetting(
        `KAFKA_SASL_MECHANISM, KAFKA_USERNAME or KAFKA_PASSWORD_FILE is wrong: the Kafka broker refuses them (${reasonOf(error)}).`,
      );
    }
    if (fault === 'tls') {
      throw new WrongSetting(
        `KAFKA_TLS, KAFKA_CA_FILE or KAFKA_CERT_FILE is wrong: no secure connection to the Kafka broker can be made (${reasonOf(error)}).`,
      );
    }
  }
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

import { z } from 'zod';
import { fileIn, needs, secretIn } from './rules.js';
import { databaseUrl, httpUrl } from './values.js';
import { WrongSetting } from './wrong-setting.js';

/** EventStoreDB as the ledger. */
export interface EventStoreSetting {
  /** The connection string with its credentials. It must never be logged. */
  readonly url: string;
  /** Streams are named `<prefix>-<chain id>`. */
  readonly prefix: string;
}

/** Elasticsearch as a search index. */
export interface ElasticsearchSetting {
  /** It may contain credentials and must never be logged. */
  readonly url: string;
  readonly apiKey: string | undefined;
  /** Certificates of authorities in PEM. */
  readonly ca: string | undefined;
  readonly indexPrefix: string;
  readonly shards: number;
  /** Unset: 1, or 0 on a cluster of one node. */
  readonly replicas: number | undefined;
  /** Whether the database keeps its own index and answers while Elasticsearch is away or behind. */
  readonly fallback: boolean;
}

interface KafkaTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/** Kafka for entries that go out and task receipts that come in. */
export interface KafkaSetting {
  readonly brokers: readonly string[];
  readonly tls: KafkaTls | undefined;
  readonly sasl: KafkaSasl | undefined;
  readonly entriesTopic: string;
  /** The number of partitions of a topic that the service makes. */
  readonly partitions: number;
  /** The topic of the entries of the log's and the registry's chains; unset: they are not sent. */
  readonly logTopic: string | undefined;
  /** Task receipts are taken from this topic; unset: none are. */
  readonly receipts:
    | { readonly topic: string; readonly apiKey: string | undefined; readonly group: string }
    | undefined;
}

const text = z.string().min(1).optional();
/** The characters of names of topics, streams and indices that all engines accept. */
const name = (max: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${max - 1}}$`), {
    error: `must be 1 to ${max} characters of A-Z a-z 0-9 . _ -, the first a letter or digit`,
  });
const topic = name(200);
const count = (max: number, least = 1) =>
  z.coerce.number('must be a number').int('must be a whole number').min(least).max(max);

/** The settings of the engines besides the database, by their names. */
export const engineSettings = {
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/[^/?#]/, 'must be an esdb:// or esdb+discover:// address')
    .optional(),
  EVENTSTORE_PREFIX: name(100).default('counterfoil'),
  ELASTICSEARCH_URL: httpUrl.optional(),
  ELASTICSEARCH_API_KEY: text,
  ELASTICSEARCH_API_KEY_FILE: text,
  ELASTICSEARCH_CA_FILE: text,
  ELASTICSEARCH_INDEX_PREFIX: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,99}$/,
      'must be 1 to 100 characters of a-z 0-9 _ -, the first of them a letter or digit',
    )
    .default('counterfoil'),
  ELASTICSEARCH_SHARDS: count(1024).default(1),
  ELASTICSEARCH_REPLICAS: count(100, 0).optional(),
  SEARCH_FALLBACK: z.enum(['on', 'off']).default('on'),
  KAFKA_BROKERS: z.string().transform(readBrokers).optional(),
  KAFKA_ENTRIES_TOPIC: topic.default('counterfoil.entries.v1'),
  KAFKA_PARTITIONS: count(10_000).default(12),
  KAFKA_LOG_TOPIC: topic.optional(),
  KAFKA_RECEIPTS_TOPIC: topic.optional(),
  KAFKA_RECEIPTS_KEY_FILE: text,
  KAFKA_GROUP: name(200).default('counterfoil'),
  KAFKA_TLS: z.enum(['on', 'off']).default('off'),
  KAFKA_CA_FILE: text,
  KAFKA_CERT_FILE: text,
  KAFKA_KEY_FILE: text,
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_USERNAME: text,
  KAFKA_PASSWORD_FILE: text,
  DATABASE_REPLICA_URL: databaseUrl.optional(),
};

type Given = z.output<z.ZodObject<typeof engineSettings>>;

/** `host:port` of one broker at least, separated by commas. */
function readBrokers(given: string, context: z.RefinementCtx): string[] {
  const brokers = given.split(',').map((broker) => broker.trim());
  if (brokers.every((broker) => /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):[1-9]\d{0,4}$/.test(broker))) return brokers;
  context.addIssue('must be host:port, several separated by commas');
  return z.NEVER;
}

/** @throws WrongSetting */
export function readEventStore({
  EVENTSTORE_URL: url,
  EVENTSTORE_PREFIX: prefix,
}: Given): EventStoreSetting | undefined {
  return url === undefined ? undefined : { url, prefix };
}

/** @throws WrongSetting */
export function readElasticsearch(set: Given): ElasticsearchSetting | undefined {
  const { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: key, ELASTICSEARCH_API_KEY_FILE: keyFile } = set;
  needs(set, 'ELASTICSEARCH_URL', ['ELASTICSEARCH_API_KEY', 'ELASTICSEARCH_API_KEY_FILE', 'ELASTICSEARCH_CA_FILE']);
  if (url === undefined) return undefined;
  if (key !== undefined && keyFile !== undefined) {
    throw new WrongSetting('ELASTICSEARCH_API_KEY and ELASTICSEARCH_API_KEY_FILE are both set: unset one of them.');
  }
  return {
    url,
    apiKey: key ?? secretIn('ELASTICSEARCH_API_KEY_FILE', keyFile),
    ca: fileIn('ELASTICSEARCH_CA_FILE', set.ELASTICSEARCH_CA_FILE),
    indexPrefix: set.ELASTICSEARCH_INDEX_PREFIX,
    shards: set.ELASTICSEARCH_SHARDS,
    replicas: set.ELASTICSEARCH_REPLICAS,
    fallback: set.SEARCH_FALLBACK === 'on',
  };
}

const needBrokers = [
  'KAFKA_LOG_TOPIC',
  'KAFKA_RECEIPTS_TOPIC',
  'KAFKA_CA_FILE',
  'KAFKA_CERT_FILE',
  'KAFKA_KEY_FILE',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_USERNAME',
  'KAFKA_PASSWORD_FILE',
] as const;

/** @throws WrongSetting */
export function readKafka(set: Given): KafkaSetting | undefined {
  const { KAFKA_BROKERS: brokers, KAFKA_RECEIPTS_TOPIC: receiptsTopic } = set;
  needs(set, 'KAFKA_BROKERS', needBrokers);
  needs(set, 'KAFKA_RECEIPTS_TOPIC', ['KAFKA_RECEIPTS_KEY_FILE']);
  if (brokers === undefined) {
    if (set.KAFKA_TLS === 'on') throw new WrongSetting('KAFKA_BROKERS is missing: KAFKA_TLS is set without it.');
    return undefined;
  }
  if (hasRepeatedTopic(set)) {
    throw new WrongSetting('KAFKA_ENTRIES_TOPIC, KAFKA_LOG_TOPIC and KAFKA_RECEIPTS_TOPIC must be different topics.');
  }
  return {
    brokers,
    tls: readTls(set),
    sasl: readSasl(set),
    entriesTopic: set.KAFKA_ENTRIES_TOPIC,
    partitions: set.KAFKA_PARTITIONS,
    logTopic: set.KAFKA_LOG_TOPIC,
    receipts:
      receiptsTopic === undefined
        ? undefined
        : {
            topic: receiptsTopic,
            apiKey: secretIn('KAFKA_RECEIPTS_KEY_FILE', set.KAFKA_RECEIPTS_KEY_FILE),
            group: set.KAFKA_GROUP,
          },
  };
}

function hasRepeatedTopic(set: Given): boolean {
  const topics = [set.KAFKA_ENTRIES_TOPIC, set.KAFKA_LOG_TOPIC, set.KAFKA_RECEIPTS_TOPIC].flatMap((one) => one ?? []);
  return new Set(topics).size < topics.length;
}

function readTls(set: Given): KafkaTls | undefined {
  const { KAFKA_CERT_FILE: cert, KAFKA_KEY_FILE: key } = set;
  if (set.KAFKA_TLS === 'off') {
    const files = ['KAFKA_CA_FILE', 'KAFKA_CERT_FILE', 'KAFKA_KEY_FILE'] as const;
    const file = files.find((one) => set[one] !== undefined);
    if (file !== undefined) throw new WrongSetting(`KAFKA_TLS is off, but ${file} is set. Set KAFKA_TLS=on.`);
    return undefined;
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new WrongSetting('KAFKA_CERT_FILE and KAFKA_KEY_FILE belong together: set both or none.');
  }
  return {
    ca: fileIn('KAFKA_CA_FILE', set.KAFKA_CA_FILE),
    cert: fileIn('KAFKA_CERT_FILE', cert),
    key: secretIn('KAFKA_KEY_FILE', key),
  };
}

function readSasl(set: Given): KafkaSasl | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_USERNAME: username } = set;
  const password = secretIn('KAFKA_PASSWORD_FILE', set.KAFKA_PASSWORD_FILE);
  if (mechanism && username && password) return { mechanism, username, password };
  if (mechanism === undefined && username === undefined && password === undefined) return undefined;
  throw new WrongSetting(
    'KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD_FILE belong together: set all three or none.',
  );
}

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKafka } from '../../../src/adapters/kafka/connection.js';
import { type IncomingRecord, readSpans } from '../../../src/adapters/kafka/read.js';
import { makeTopic } from '../../../src/adapters/kafka/topics.js';
import { readConfig } from '../../../src/settings/config.js';
import { WrongSetting } from '../../../src/settings/wrong-setting.js';
import { apiKey, eagerWorld, startService } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { eventually, receiptsTopic } from '../../kafka/receipts-topic.js';
import { securedBroker, user } from '../../kafka/secured.js';
import { readTopic } from '../../relay/topic.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-kafka-secured-'));
const wrongPassword = 'not-the-password-of-it';
const secretFile = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};
const passwordFile = secretFile('password', `${user.password}\n`);
let broker: ReturnType<typeof securedBroker>;
let tls: Record<string, string>;
let plain: Record<string, string>;
beforeAll(() => {
  broker = securedBroker('secured', 25_092);
  tls = { KAFKA_BROKERS: broker.withUser, KAFKA_TLS: 'on', KAFKA_CA_FILE: broker.certificate('ca.pem') };
  plain = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_USERNAME: user.name, KAFKA_PASSWORD_FILE: passwordFile };
});
afterAll(() => {
  broker.stop();
  rmSync(directory, { recursive: true });
});

/** The settings of a client that presents its certificate. */
const mutual = () => ({
  ...tls,
  KAFKA_BROKERS: broker.mutual,
  KAFKA_CERT_FILE: broker.certificate('client.pem'),
  KAFKA_KEY_FILE: broker.certificate('client.key'),
});

/** A connection with these settings, and what it has logged. */
function opening(env: Record<string, string>) {
  const logged: string[] = [];
  const line = (members: object, text: string) => logged.push(`${JSON.stringify(members)} ${text}`);
  const { kafka } = readConfig({ DATA_DIR: directory, ...env });
  if (!kafka) throw new Error('no brokers are set');
  return { connection: openKafka(kafka, { info: line, warn: line, error: line }), logged };
}

// @covers ENG-KAFKA-SECURE ENG-KAFKA-SECRET
it('takes receipts and sends entries with a user by SCRAM', async () => {
  const topic = await receiptsTopic(broker.open);
  const entries = `${topic.topic}.entries`;
  const service = await startService(
    {
      ...tls,
      ...plain,
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      LOG_LEVEL: 'debug',
      KAFKA_ENTRIES_TOPIC: entries,
      KAFKA_RECEIPTS_TOPIC: topic.topic,
      KAFKA_RECEIPTS_KEY_FILE: secretFile('key', apiKey),
      KAFKA_GROUP: topic.group,
      KAFKA_PARTITIONS: '1',
    },
    eagerWorld,
  );
  const { call, logged } = service;
  await eventually('the topics are made', async () => (await topic.admin.listTopics()).includes(`${topic.topic}.dead`));
  await topic.send({ value: JSON.stringify(taskReceipt({ receipt_id: 'secured' })) });
  await eventually('it is taken', async () => (await call('GET', '/v1/receipts/secured')).status === 200);
  await eventually('its entry is sent', async () =>
    (await readTopic(broker.open, entries)).some(({ value }) => value.includes('"secured"')),
  );
  expect((await call('GET', '/readyz')).json.warnings).toEqual([]);
  expect(logged.join('')).not.toContain(user.password);
  await service.stop();
  await topic.remove();
});

const wrongUser = () => ({ ...tls, ...plain, KAFKA_PASSWORD_FILE: secretFile('wrong', wrongPassword) });
const elsewhere = () => broker.withUser.replace('127.0.0.1', 'localhost');

describe.concurrent('Kafka with TLS', () => {
  // @covers ENG-KAFKA-SECURE
  it.each([
    ['a user by PLAIN', () => ({ ...tls, ...plain })],
    ['a certificate of the client', mutual],
  ])('sends and reads with %s', async (_, env) => {
    const kafka = await opening(env()).connection;
    const topic = `secured-${randomUUID()}`;
    await makeTopic(kafka, topic, 1);
    const producer = await kafka.producer(10_000);
    await producer.send(topic, [{ key: 'a', value: Buffer.from('sent'), headers: {} }]);
    producer.discard();
    const values: string[] = [];
    const take = async (_partition: number, records: readonly IncomingRecord[]) => {
      for (const { value } of records) values.push(String(value));
    };
    await readSpans(kafka, topic, new Map([[0, { from: 0, end: 1 }]]), take, 20_000);
    expect(values).toEqual(['sent']);
    expect(await kafka.problem()).toBe(null);
  });

  // @covers ENG-KAFKA-WRONG ENG-KAFKA-SECRET
  it.each([
    ['a wrong password', wrongUser, 'KAFKA_PASSWORD_FILE is wrong: the Kafka broker refuses them'],
    [
      'a wrong password by SCRAM',
      () => ({ ...wrongUser(), KAFKA_SASL_MECHANISM: 'scram-sha-512' }),
      'KAFKA_PASSWORD_FILE is wrong: the Kafka broker refuses them',
    ],
    [
      'a mechanism that the broker does not have',
      () => ({ ...tls, ...plain, KAFKA_SASL_MECHANISM: 'scram-sha-256' }),
      'KAFKA_SASL_MECHANISM, KAFKA_USERNAME or KAFKA_PASSWORD_FILE is wrong',
    ],
    ['no user', () => tls, 'demands a user: set KAFKA_SASL_MECHANISM (the broker has PLAIN, SCRAM-SHA-512)'],
    ['a user where none is taken', () => ({ ...plain, ...mutual() }), 'take no user and password: unset KAFKA_SASL'],
    [
      'an unknown authority',
      () => ({ ...tls, ...plain, KAFKA_CA_FILE: broker.certificate('other-ca.pem') }),
      'KAFKA_CA_FILE is wrong',
    ],
    [
      'another name',
      () => ({ ...tls, ...plain, KAFKA_BROKERS: elsewhere() }),
      'KAFKA_BROKERS is wrong: the certificate',
    ],
    ['no certificate of the client', () => ({ ...tls, KAFKA_BROKERS: broker.mutual }), 'KAFKA_CERT_FILE is wrong'],
    ['TLS where there is none', () => ({ ...tls, ...plain, KAFKA_BROKERS: broker.open }), 'KAFKA_TLS is on, but'],
    ['no TLS with a user', () => ({ ...plain, KAFKA_BROKERS: broker.withUser }), 'Set KAFKA_TLS=on'],
    ['no TLS without a user', () => ({ KAFKA_BROKERS: broker.mutual }), 'Set KAFKA_TLS=on'],
  ])('does not start with %s, and says what to do', async (_, env, sentence) => {
    const { connection, logged } = opening(env());
    const error = await connection.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(WrongSetting);
    expect(String(error)).toContain(sentence);
    expect(String(error)).toMatch(/^WrongSetting: [^\n]+\.$/);
    const shown = [...logged, String(error)].join(' ');
    expect([wrongPassword, user.password].filter((secret) => shown.includes(secret))).toEqual([]);
  });

  // @covers ENG-KAFKA-EXPIRED
  it('starts while the certificate of the broker has expired, and says so', async () => {
    const { connection, logged } = opening({ ...tls, KAFKA_BROKERS: broker.expired });
    const sentence = `The certificate of the Kafka broker ${broker.expired} has expired. Renew it at the broker.`;
    expect(await (await connection).problem()).toBe(sentence);
    expect(logged.at(-1)).toContain(sentence);
  });
});

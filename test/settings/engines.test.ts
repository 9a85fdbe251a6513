import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/settings/config.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-settings-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const server = 'postgres://127.0.0.1/counterfoil';
const brokers = 'a.example:9092, [::1]:9093';
const elastic = 'https://search.example:9200';

describe('the settings of the engines', () => {
  // @covers ENGINE-SETTINGS
  it('have defaults, and no engine is used without its address', () => {
    expect(readConfig({})).toMatchObject({
      replicaUrl: undefined,
      eventStore: undefined,
      elasticsearch: undefined,
      kafka: undefined,
    });
    expect(readConfig({ EVENTSTORE_URL: 'esdb://h:2113?tls=false' }).eventStore?.prefix).toBe('counterfoil');
    expect(readConfig({ ELASTICSEARCH_URL: elastic }).elasticsearch).toMatchObject({
      indexPrefix: 'counterfoil',
      shards: 1,
      replicas: undefined,
      fallback: true,
    });
    expect(readConfig({ KAFKA_BROKERS: brokers }).kafka).toEqual({
      brokers: ['a.example:9092', '[::1]:9093'],
      entriesTopic: 'counterfoil.entries.v1',
      partitions: 12,
      logTopic: undefined,
      receipts: undefined,
      tls: undefined,
      sasl: undefined,
    });
  });

  it('take secrets from files', () => {
    const key = file('key', ' secret\n');
    expect(readConfig({ ELASTICSEARCH_URL: elastic, ELASTICSEARCH_API_KEY_FILE: key }).elasticsearch?.apiKey).toBe(
      'secret',
    );
    const kafka = { KAFKA_BROKERS: brokers, KAFKA_RECEIPTS_TOPIC: 'in', KAFKA_RECEIPTS_KEY_FILE: key };
    expect(readConfig(kafka).kafka?.receipts).toEqual({ topic: 'in', apiKey: 'secret', group: 'counterfoil' });
    const sasl = { KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_USERNAME: 'u', KAFKA_PASSWORD_FILE: key };
    expect(readConfig({ KAFKA_BROKERS: brokers, ...sasl }).kafka?.sasl).toEqual({
      mechanism: 'scram-sha-512',
      username: 'u',
      password: 'secret',
    });
    const tls = { KAFKA_TLS: 'on', KAFKA_CA_FILE: file('ca', 'pem', 0o644) };
    expect(readConfig({ KAFKA_BROKERS: brokers, ...tls }).kafka?.tls).toMatchObject({ ca: 'pem', key: undefined });
  });

  // @covers ENGINE-FILE-SIZES
  it('take 1 MiB of a file that is not secret, and 64 KiB of a secret', () => {
    const [bundle, long, key] = [
      file('bundle', 'x'.repeat(1024 * 1024), 0o644),
      file('long', 'x'.repeat(1024 * 1024 + 1), 0o644),
      file('long-key', 'x'.repeat(64 * 1024 + 1)),
    ];
    const read = (more: object) => readConfig({ ELASTICSEARCH_URL: elastic, ...more }).elasticsearch;
    expect(read({ ELASTICSEARCH_CA_FILE: bundle })?.ca).toHaveLength(1024 * 1024);
    expect(() => read({ ELASTICSEARCH_CA_FILE: long })).toThrow(
      `${long} has 1048577 bytes, and at most 1048576 are read`,
    );
    expect(() => read({ ELASTICSEARCH_API_KEY_FILE: key })).toThrow(
      `${key} has 65537 bytes, and at most 65536 are read`,
    );
  });

  // @covers ENGINE-SECRET-FILES
  it.each([0o640, 0o604])('refuse a secret in a file of mode %o', (mode) => {
    const path = file(`open-${mode}`, 'secret', mode);
    expect(() => readConfig({ ELASTICSEARCH_URL: elastic, ELASTICSEARCH_API_KEY_FILE: path })).toThrow(
      `ELASTICSEARCH_API_KEY_FILE is wrong: ${path} can be read by other users of this machine: run chmod 600 ${path}.`,
    );
  });

  // @covers ENG-KAFKA-ALONE
  it.each([
    [{ EVENTSTORE_URL: 'kurrentdb://h' }, 'EVENTSTORE_URL is wrong: must be an esdb:// or esdb+discover:// address.'],
    [{ EVENTSTORE_PREFIX: '$x' }, 'EVENTSTORE_PREFIX is wrong: must be 1 to 100 characters of A-Z a-z 0-9 . _ -'],
    [{ ELASTICSEARCH_URL: 'search:9200' }, 'ELASTICSEARCH_URL is wrong: must be an http or https address.'],
    [{ ELASTICSEARCH_API_KEY: 'k' }, 'ELASTICSEARCH_URL is missing: ELASTICSEARCH_API_KEY is set without it.'],
    [
      { ELASTICSEARCH_URL: elastic, ELASTICSEARCH_CA_FILE: '/nowhere' },
      'ELASTICSEARCH_CA_FILE is wrong: /nowhere cannot be read (ENOENT).',
    ],
    [{ ELASTICSEARCH_INDEX_PREFIX: 'Upper' }, 'ELASTICSEARCH_INDEX_PREFIX is wrong: must be 1 to 100 characters'],
    [{ ELASTICSEARCH_SHARDS: '0' }, 'ELASTICSEARCH_SHARDS is wrong'],
    [{ SEARCH_FALLBACK: 'maybe' }, 'SEARCH_FALLBACK is wrong'],
    [{ KAFKA_BROKERS: 'http://a:1' }, 'KAFKA_BROKERS is wrong: must be host:port, several separated by commas.'],
    [{ KAFKA_PASSWORD_FILE: '/x' }, 'KAFKA_BROKERS is missing: KAFKA_PASSWORD_FILE is set without it.'],
    [{ KAFKA_LOG_TOPIC: 'x' }, 'KAFKA_BROKERS is missing: KAFKA_LOG_TOPIC is set without it.'],
    [{ KAFKA_TLS: 'on' }, 'KAFKA_BROKERS is missing: KAFKA_TLS is set without it.'],
    [
      { KAFKA_BROKERS: brokers, KAFKA_RECEIPTS_KEY_FILE: '/nowhere' },
      'KAFKA_RECEIPTS_TOPIC is missing: KAFKA_RECEIPTS_KEY_FILE is set without it.',
    ],
    [
      { KAFKA_BROKERS: brokers, KAFKA_RECEIPTS_TOPIC: 'counterfoil.entries.v1' },
      'KAFKA_ENTRIES_TOPIC, KAFKA_LOG_TOPIC and KAFKA_RECEIPTS_TOPIC must be different topics.',
    ],
    [{ KAFKA_BROKERS: brokers, KAFKA_CA_FILE: '/x' }, 'KAFKA_TLS is off, but KAFKA_CA_FILE is set. Set KAFKA_TLS=on.'],
    [
      { KAFKA_BROKERS: brokers, KAFKA_TLS: 'on', KAFKA_CERT_FILE: '/x' },
      'KAFKA_CERT_FILE and KAFKA_KEY_FILE belong together: set both or none.',
    ],
    [
      { KAFKA_BROKERS: brokers, KAFKA_USERNAME: 'u' },
      'KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD_FILE belong together: set all three or none.',
    ],
    [{ DATABASE_REPLICA_URL: server }, 'DATABASE_URL is missing: DATABASE_REPLICA_URL is set without it.'],
  ])('refuse %o', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
  });
});

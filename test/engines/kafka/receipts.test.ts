import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IHeaders } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { filesOf, patternOf, readPage, sectionOf, stepsOf, withoutSpace } from '../../docs/documents.js';
import { owner } from '../../http/people.js';
import { type Person, signedIn } from '../../http/person.js';
import { apiKey, type Service, startService } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { eventually, type ReceiptsTopic, receiptsTopic, type Sent, signed } from '../../kafka/receipts-topic.js';
import { kafkaBrokers } from '../../support/engines.js';

const run = promisify(execFile);

/** Task receipts from a topic of a real broker. */
describe('task receipts from Kafka', () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-kafka-'));
  let topic: ReceiptsTopic;
  let service: Service;
  let admin: Person;
  beforeAll(async () => {
    topic = await receiptsTopic(kafkaBrokers());
    const keyFile = join(directory, 'key');
    writeFileSync(keyFile, `${apiKey}\n`, { mode: 0o600 });
    service = await startService({
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
      KAFKA_BROKERS: kafkaBrokers(),
      KAFKA_ENTRIES_TOPIC: `${topic.topic}.entries`,
      KAFKA_RECEIPTS_TOPIC: topic.topic,
      KAFKA_RECEIPTS_KEY_FILE: keyFile,
      KAFKA_GROUP: topic.group,
      KAFKA_PARTITIONS: '3',
    });
    admin = await signedIn(service, owner);
    await eventually('the topics are made', async () =>
      (await topic.admin.listTopics()).includes(`${topic.topic}.dead`),
    );
  });
  afterAll(async () => {
    await service.stop();
    await topic.remove();
    rmSync(directory, { recursive: true });
  });

  const done = () => eventually('every record is done', topic.isDone);
  const found = async (id: string) => (await service.call('GET', `/v1/receipts/${id}`)).json;

  /** A key, and its secret for records. */
  async function newKey(body: object = {}) {
    const { key_id } = (await admin.call('POST', '/v1/keys', { name: 'platform', ...body })).json;
    return { keyId: String(key_id), secret: await newSecret(key_id) };
  }
  const newSecret = async (keyId: string): Promise<string> =>
    (await admin.call('POST', `/v1/keys/${keyId}/kafka-secret`)).json.secret;

  /** Sends records, and gives the code of the dead letter of each by its key; null for one that was taken. */
  async function outcomes(records: readonly (Sent & { readonly key: string })[]) {
    await topic.send(...records);
    await done();
    const dead = await topic.dead();
    const codeOf = (key: string) => dead.find((one) => one.key === key)?.headers['error-code'] ?? null;
    return Object.fromEntries(records.map(({ key }) => [key, codeOf(key)]));
  }

  // @covers KREC-SAME KREC-KEY-FILE KREC-VIA
  it('takes a receipt that is not signed with the key of the settings, and a batch', async () => {
    const batch = { receipts: [receipt('batch-1'), receipt('batch-2')] };
    await topic.send({ value: json(receipt('plain')) }, { value: json(batch) });
    await done();
    for (const id of ['plain', 'batch-1', 'batch-2']) {
      expect(await found(id)).toMatchObject({ kind: 'task', receipt_id: id, actor: { type: 'key', via: 'kafka' } });
    }
  });

  // @covers KREC-SIGNED KREC-BEARER KREC-SECRET-NEWEST
  it('takes a record that the newest secret of its key has signed, and no other one', async () => {
    const { keyId, secret } = await newKey();
    const without = (await admin.call('POST', '/v1/keys', { name: 'without a secret' })).json.key_id;
    const revoked = await newKey();
    await admin.call('DELETE', `/v1/keys/${revoked.keyId}`);
    const reader = await newKey({ scopes: ['memory.read'] });
    const unbound = await newKey({ namespace_ids: [] });
    const replaced = await newKey();
    const newest = await newSecret(replaced.keyId);
    const value = (id: string) => json(receipt(id));
    const by = (name: string, id: string, own: string) => ({
      key: name,
      value: value(name),
      headers: signed(value(name), id, own),
    });
    const withHeaders = (name: string, headers: IHeaders) => ({ key: name, value: value(name), headers });
    const mac = String(signed(value('upper'), keyId, secret)['x-service-mac']);
    expect(
      await outcomes([
        by('signed', keyId, secret),
        withHeaders('upper', { 'X-Service-Key-Id': keyId.toUpperCase(), 'X-Service-Mac': mac.toUpperCase() }),
        by('newest', replaced.keyId, newest),
        by('replaced', replaced.keyId, replaced.secret),
        by('of another key', keyId, newest),
        by('revoked', revoked.keyId, revoked.secret),
        by('no secret', without, secret),
        by('no key', 'x', secret),
        by('no such key', '00000000-0000-7000-8000-00000000abcd', secret),
        withHeaders('other value', signed(value('signed'), keyId, secret)),
        withHeaders('no hex', { 'x-service-key-id': keyId, 'x-service-mac': 'x' }),
        withHeaders('no mac', { 'x-service-key-id': keyId }),
        withHeaders('no key id', { 'x-service-mac': '0'.repeat(64) }),
        withHeaders('two macs', { 'x-service-key-id': keyId, 'x-service-mac': ['0'.repeat(64), '1'.repeat(64)] }),
        withHeaders('bearer', { authorization: `Bearer ${apiKey}` }),
        withHeaders('x-api-key', { 'X-API-Key': 'anything' }),
        withHeaders('ak_', { ...signed(value('ak_'), keyId, secret), note: apiKey }),
        by('reader', reader.keyId, reader.secret),
        by('unbound', unbound.keyId, unbound.secret),
      ]),
    ).toEqual({
      signed: null,
      upper: null,
      newest: null,
      replaced: 'unauthorized',
      'of another key': 'unauthorized',
      revoked: 'unauthorized',
      'no secret': 'unauthorized',
      'no key': 'unauthorized',
      'no such key': 'unauthorized',
      'other value': 'unauthorized',
      'no hex': 'unauthorized',
      'no mac': 'unauthorized',
      'no key id': 'unauthorized',
      'two macs': 'unauthorized',
      bearer: 'credential_not_supported',
      'x-api-key': 'credential_not_supported',
      ak_: 'credential_not_supported',
      reader: 'insufficient_scope',
      unbound: 'key_has_no_namespaces',
    });
    expect((await found('signed')).actor).toMatchObject({ id: keyId, via: 'kafka' });
  });

  // @covers KREC-DEAD KREC-DEAD-CODES KREC-VALUE
  it('sends what POST /v1/receipts refuses to the dead letters, a batch as a whole', async () => {
    await outcomes([{ key: 'first', value: json(receipt('taken already')) }]);
    const large = json(receipt('large', { more: 'x'.repeat(1_048_576) }));
    const batch = { receipts: [receipt('whole-1'), receipt('whole-2', { status: 'unknown' })] };
    expect(
      await outcomes([
        { key: 'null', value: null },
        { key: 'over 1 MiB', value: large },
        { key: 'exactly 1 MiB', value: large.slice(0, 1_048_576) },
        { key: 'empty', value: '' },
        { key: 'no JSON', value: '{"receipt_id":' },
        { key: 'no UTF-8', value: Buffer.from([0x7b, 0xff, 0x7d]) },
        { key: 'conflict', value: json(receipt('taken already', { model: 'another' })) },
        { key: 'duplicate', value: json(receipt('taken already')) },
        { key: 'assigned', value: json(receipt('assigned', { hash: 'x' })) },
        { key: 'too large', value: json(receipt('too large', { more: 'x'.repeat(70_000) })) },
        { key: 'batch', value: json(batch) },
        { key: 'empty batch', value: json({ receipts: [] }) },
      ]),
    ).toEqual({
      null: 'invalid_receipt',
      'over 1 MiB': 'invalid_receipt',
      'exactly 1 MiB': 'invalid_json',
      empty: 'invalid_json',
      'no JSON': 'invalid_json',
      'no UTF-8': 'invalid_json',
      conflict: 'receipt_conflict',
      duplicate: null,
      assigned: 'server_assigned_field',
      'too large': 'receipt_too_large',
      batch: 'invalid_receipt',
      'empty batch': 'invalid_receipt',
    });
    expect((await service.call('GET', '/v1/receipts/whole-1')).status).toBe(404);
    const dead = await topic.dead();
    expect(dead.find(({ key }) => key === 'batch')?.headers['error-message']).toMatch(/^Receipt 1: status: /);
    expect(dead.find(({ key }) => key === 'null')?.value).toBeNull();
    expect(dead.find(({ key }) => key === 'over 1 MiB')?.value).toBe(large);
  });

  // @covers KREC-DEAD
  it('keeps key, value and headers of a dead letter, and adds where it came from and why it was refused', async () => {
    const headers = { tenant: 'a', twice: ['1', '2'], 'error-code': 'of the platform', constructor: 'c', empty: '' };
    const before = Date.now();
    await topic.send({ key: 'with headers', value: 'not JSON', headers, partition: 2 });
    await done();
    const letter = (await topic.dead()).find(({ key }) => key === 'with headers');
    const { 'refused-at': at, 'source-offset': offset, ...rest } = letter?.headers ?? {};
    expect(letter?.value).toBe('not JSON');
    expect(rest).toMatchObject({
      tenant: 'a',
      twice: ['1', '2'],
      'error-code': ['of the platform', 'invalid_json'],
      'error-message': expect.stringMatching(/\w+\.$/),
      'source-topic': topic.topic,
      'source-partition': '2',
      empty: '',
    });
    const ends = await topic.admin.fetchTopicOffsets(topic.topic);
    expect(offset).toBe(String(Number(ends.find(({ partition }) => partition === 2)?.high) - 1));
    expect(new Date(String(at)).toISOString()).toBe(at);
    expect(Date.parse(String(at))).toBeGreaterThanOrEqual(before);
  });

  // @covers KREC-DEAD-CODES
  it('sends receipts of a paused workspace to the dead letters', async () => {
    const rules = (await admin.call('GET', '/v1/rules')).json;
    await admin.call('PUT', '/v1/rules', { ...rules, pause_all: true });
    expect(await outcomes([{ key: 'paused', value: json(receipt('paused')) }])).toEqual({ paused: 'tenant_paused' });
    await admin.call('PUT', '/v1/rules', rules);
  });

  it('takes what the program of docs/guides/kafka-receipts.md produces', async () => {
    const page = readPage('docs/guides/kafka-receipts.md');
    for (const { name, body } of filesOf(page)) writeFileSync(join(directory, name), body);
    symlinkSync(join(packageRoot, 'node_modules'), join(directory, 'node_modules'));
    const shell = stepsOf(sectionOf(readPage('docs/start.md'), 'The shell of these pages'));
    const steps = stepsOf(page);
    const script = [...shell, ...steps]
      .map(({ commands }) => commands)
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', service.app.server.listeningOrigin)
      .replaceAll('127.0.0.1:9092', kafkaBrokers())
      .replaceAll('TOPIC=task-receipts', `TOPIC=${topic.topic}`)
      .replaceAll('ak_…', apiKey)
      .replaceAll('PASSWORD=…', `PASSWORD='${owner.password}'`)
      .replaceAll('owner@localhost', owner.email);
    const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: directory });
    expect(withoutSpace(stdout)).toMatch(patternOf(steps.at(-1)?.answer ?? 'no answer'));
  });

  // @covers KREC-HEALTH
  it('says how many records it took and refused, and how many are behind', async () => {
    const metrics = (await service.call('GET', '/metrics')).text;
    expect(metrics).toMatch(/counterfoil_engine_records_total\{engine="kafka-receipts",outcome="taken"\} [1-9]/);
    expect(metrics).toMatch(/counterfoil_engine_records_total\{engine="kafka-receipts",outcome="dead"\} [1-9]/);
    expect(metrics).toContain('counterfoil_engine_up{engine="kafka-receipts"} 1');
    expect(metrics).toMatch(/counterfoil_follower_lag_entries\{follower="kafka-receipts"\} \d/);
    expect((await service.call('GET', '/readyz')).status).toBe(200);
  });
});

const json = (value: unknown): string => JSON.stringify(value);
const receipt = (id: string, more: object = {}) => ({ ...taskReceipt(), receipt_id: id, ...more });

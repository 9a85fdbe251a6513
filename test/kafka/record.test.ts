import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import type { ReceiptRecord } from '../../contracts/kafka-records.js';
import { createKafkaSecrets, isMacOf } from '../../src/domain/secrets.js';
import { deadLetterOf, deadTopicOf } from '../../src/kafka/dead-letters.js';
import { credentialOf, valueIn } from '../../src/kafka/record.js';

const value = Buffer.from('{"receipt_id":"a"}');

function record(headers: Readonly<Record<string, string | readonly string[]>> = {}, more: Partial<ReceiptRecord> = {}) {
  const all = Object.entries(headers).map(
    ([name, texts]) => [name, [texts].flat().map((one) => Buffer.from(one))] as const,
  );
  const place = { topic: 'receipts', partition: 3, offset: '9007199254740993' };
  return { ...place, key: Buffer.from('k'), value, headers: new Map(all), producedAt: 0, ...more };
}

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof Refusal ? error.code : error;
  }
};

describe('a record of task receipts', () => {
  // @covers KREC-VALUE
  it('has a value of 1 MiB at most', () => {
    expect(codeOf(() => valueIn(record({}, { value: null })))).toBe('invalid_receipt');
    expect(codeOf(() => valueIn(record({}, { value: Buffer.alloc(1_048_577) })))).toBe('invalid_receipt');
    expect(valueIn(record({}, { value: Buffer.alloc(1_048_576) })).length).toBe(1_048_576);
  });

  // @covers KREC-SIGNED KREC-BEARER
  it.each<[string, Readonly<Record<string, string | readonly string[]>>, unknown]>([
    ['no credential', {}, null],
    ['both headers', { 'x-service-key-id': 'id', 'x-service-mac': 'mac' }, { keyId: 'id', mac: 'mac' }],
    ['names in capitals', { 'X-Service-Key-Id': 'id', 'X-SERVICE-MAC': 'mac' }, { keyId: 'id', mac: 'mac' }],
    ['a key id alone', { 'x-service-key-id': 'id' }, 'unauthorized'],
    ['a MAC alone', { 'x-service-mac': 'mac' }, 'unauthorized'],
    ['two MACs', { 'x-service-key-id': 'id', 'x-service-mac': ['a', 'b'] }, 'unauthorized'],
    ['two spellings', { 'x-service-key-id': 'id', 'x-service-mac': 'a', 'X-Service-Mac': 'b' }, 'unauthorized'],
    ['no value', { 'x-service-key-id': [], 'x-service-mac': 'a' }, 'unauthorized'],
    ['authorization', { authorization: 'anything' }, 'credential_not_supported'],
    ['Proxy-Authorization', { 'Proxy-Authorization': '' }, 'credential_not_supported'],
    ['x-api-key', { 'X-Api-Key': 'anything' }, 'credential_not_supported'],
    ['a key in another header', { note: ['nothing', 'ak_0123'] }, 'credential_not_supported'],
    ['Bearer and a key', { note: ' bearer  AK_0123' }, 'credential_not_supported'],
    ['an agent key', { note: 'agk_0123' }, 'credential_not_supported'],
    [
      'a key beside a signature',
      { 'x-service-key-id': 'id', 'x-service-mac': 'a', b: 'ak_' },
      'credential_not_supported',
    ],
    ['a word that begins alike', { note: 'akin' }, null],
  ])('has the credential of its headers: %s', (_name, headers, expected) => {
    expect(codeOf(() => credentialOf(record(headers)))).toEqual(expected);
  });

  // @covers KREC-DEAD
  it('becomes a dead letter with its key, value and headers, and why it was refused', () => {
    const headers = { tenant: 'a', 'error-code': 'older' };
    const refusal = new Refusal('receipt_conflict', 'Another one has that id: ü.');
    const letter = deadLetterOf(record(headers), refusal, new Date('2026-03-14T09:26:53.589Z'));
    expect([letter.key, letter.value]).toEqual([Buffer.from('k'), value]);
    expect(Array.from(letter.headers, ([name, all]) => [name, all.map(String)])).toEqual([
      ['tenant', ['a']],
      ['error-code', ['older', 'receipt_conflict']],
      ['error-message', ['Another one has that id: ü.']],
      ['source-topic', ['receipts']],
      ['source-partition', ['3']],
      ['source-offset', ['9007199254740993']],
      ['refused-at', ['2026-03-14T09:26:53.589Z']],
    ]);
    expect(deadTopicOf('receipts')).toBe('receipts.dead');
  });
});

describe('the secret of a key', () => {
  const secrets = createKafkaSecrets(new Uint8Array(32).fill(7));

  // @covers KREC-SIGNED
  it('depends on the key, its own id and the installation', () => {
    const all = [
      secrets.of('key', 'one'),
      secrets.of('key', 'two'),
      secrets.of('other', 'one'),
      createKafkaSecrets(new Uint8Array(32).fill(8)).of('key', 'one'),
    ];
    expect(new Set(all).size).toBe(4);
    expect(secrets.of('key', 'one')).toBe(all[0]);
  });

  // @covers KREC-SIGNED
  it('signs with its own UTF-8 bytes, in hex of either case', () => {
    const secret = secrets.of('key', 'one');
    const mac = createHmac('sha256', secret).update(value).digest('hex');
    expect(isMacOf(value, secret, mac)).toBe(true);
    expect(isMacOf(value, secret, mac.toUpperCase())).toBe(true);
    const others = [
      '',
      'x',
      mac.slice(1),
      `${mac}0`,
      `${mac}\n`,
      mac.replace(/^./, (one) => (one === '0' ? '1' : '0')),
    ];
    for (const other of others) expect(isMacOf(value, secret, other)).toBe(false);
    expect(isMacOf(Buffer.from('another value'), secret, mac)).toBe(false);
  });
});

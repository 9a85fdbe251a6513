import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { packageRoot } from '../../src/base/package-root.js';
import { deadLetterOf } from '../../src/kafka/dead-letters.js';
import { taskReceipt } from '../http/task-receipt.js';

const schemaOf = (name: string) => JSON.parse(readFileSync(join(packageRoot, 'contracts', name), 'utf8'));
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
addFormats.default(ajv);
ajv.addSchema(schemaOf('task-receipt.v1.schema.json'));
const record = schemaOf('kafka/task-receipts-record.v1.schema.json');
const letter = schemaOf('kafka/dead-letter.v1.schema.json');
const isRecord = ajv.compile(record);
const isLetter = ajv.compile(letter);

describe('the schemas of records of Kafka', () => {
  // @covers KREC-SCHEMA
  it('allow their examples', () => {
    for (const one of record.examples) expect([isRecord(one), isRecord.errors]).toEqual([true, null]);
    for (const one of letter.examples) expect([isLetter(one), isLetter.errors]).toEqual([true, null]);
  });

  // @covers KREC-SCHEMA
  it('allow what the service takes, and refuse half of a signature and a key in a header', () => {
    const value = taskReceipt();
    const keyId = '01919f3b-2c77-7f02-8d19-4a6e1c0b7f33';
    const mac = '0'.repeat(64);
    const cases: readonly [object, boolean][] = [
      [{ headers: {}, value }, true],
      [
        { headers: { 'x-service-key-id': keyId, 'x-service-mac': mac, other: 'x' }, value: { receipts: [value] } },
        true,
      ],
      [{ headers: { 'x-service-key-id': keyId }, value }, false],
      [{ headers: { 'x-service-mac': mac }, value }, false],
      [{ headers: { authorization: 'x' }, value }, false],
      [{ headers: { note: 'ak_x' }, value }, false],
      [{ headers: {}, value: { receipts: [] } }, false],
      [{ headers: {}, value: null }, false],
    ];
    for (const [one, allowed] of cases) expect([one, isRecord(one)]).toEqual([one, allowed]);
  });

  // @covers KREC-SCHEMA KREC-DEAD
  it('describe the dead letters that the service sends', () => {
    const source = { topic: 'receipts', partition: 0, offset: '12', key: null, value: null, producedAt: 0 };
    const headers = new Map([['twice', [Buffer.from('a'), Buffer.from('b')]]]);
    const made = deadLetterOf({ ...source, headers }, new Refusal('invalid_receipt'), new Date());
    const texts = Array.from(made.headers, ([name, all]) => [name, all.length > 1 ? all.map(String) : String(all[0])]);
    const shown = { key: null, value: null, headers: Object.fromEntries(texts) };
    expect([isLetter(shown), isLetter.errors]).toEqual([true, null]);
    expect(isLetter({ ...shown, headers: { ...shown.headers, 'source-offset': 'x' } })).toBe(false);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverAssigned } from '../../../../contracts/submitted-receipt.js';
import { defaultVendorPlatforms, fixedPlatforms } from '../../../../contracts/task-receipt.js';
import { isObject } from '../../../../src/base/json-text.js';
import { packageRoot } from '../../../../src/base/package-root.js';
import { hasMarket } from '../../../../src/domain/task/private-members.js';
import { receipt } from '../../../domain/task/arbitrary.js';
import { changed, oddValues, placesIn } from '../../../domain/task/odd-values.js';
import { full, least, marketOf, now, readTasks, statements } from '../../../domain/task/samples.js';

const schemaOf = (name: string) => JSON.parse(readFileSync(join(packageRoot, 'contracts', name), 'utf8'));
const receiptSchema = schemaOf('task-receipt.v1.schema.json');
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
addFormats.default(ajv);
const isReceipt = ajv.compile(receiptSchema);
const isMarket = ajv.compile(schemaOf('task-receipt-market.v1.schema.json'));

/** Whether the two schemas allow a receipt. */
const allowed = (value: unknown): boolean =>
  isReceipt(value) && (!hasMarket(value) || (isObject(value) && isMarket(value.market)));

/** Rules that JSON Schema cannot state. The schemas name them in their descriptions. */
const beyond =
  /decimals|significant digits|must not be before started_at|after the service's clock|must be after period_start/;

/** @returns whether the schemas allow the receipt, which the service must have confirmed */
function agreed(value: unknown): boolean {
  const read = readTasks(JSON.stringify(value), now);
  const valid = allowed(value);
  if (!('code' in read)) expect([valid, value]).toEqual([true, value]);
  else if (valid) expect([beyond.test(read.message), value, read]).toEqual([true, value, read]);
  return valid;
}

const samples: readonly (readonly [string, object])[] = [
  ['a receipt', full],
  ['market', { ...least, market: marketOf(statements) }],
  ...Object.entries(statements).map(
    ([name, value]) => [name, { ...least, market: marketOf({ [name]: value }) }] as const,
  ),
];

describe('the JSON schemas of task receipts', () => {
  // @covers TASK-SCHEMA-AGREES
  it('allow generated receipts exactly when the service accepts them', () => {
    const change = fc.record({ at: fc.nat(), other: fc.constantFrom(undefined, ...oddValues) });
    let [right, wrong] = [0, 0];
    fc.assert(
      fc.property(receipt, fc.array(change, { maxLength: 2 }), (value, changes) => {
        const sent = changes.reduce<unknown>((before, { at, other }) => changed(before, at, other), value);
        if (agreed(sent)) right += 1;
        else wrong += 1;
      }),
      { numRuns: 1000 },
    );
    expect([right > 200, wrong > 200]).toEqual([true, true]);
  });

  // @covers TASK-SCHEMA-AGREES MARKET-SCHEMA-FILE
  it.each(samples)('agree with the service on %s with every odd value at every place', (_, sample) => {
    expect(agreed(sample)).toBe(true);
    for (let at = 0; at < placesIn(sample).length; at += 1) {
      for (const other of [undefined, ...oddValues]) agreed(changed(sample, at, other));
    }
  });

  it.each(serverAssigned)('do not allow %s, which only the service assigns', (name) => {
    expect(agreed({ ...least, [name]: null })).toBe(false);
  });

  it('allow the example of the reference, which has every field', () => {
    const page = readFileSync(join(packageRoot, 'docs/reference/task-receipt.md'), 'utf8');
    const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(agreed(JSON.parse(example))).toBe(true);
    expect(Object.keys(JSON.parse(example))).toEqual(expect.arrayContaining(Object.keys(full)));
  });

  // @covers TASK-SCHEMA-FILE
  it('names the platforms of an installation that does not name them', () => {
    expect(receiptSchema.title).toBe('task_receipt.v1');
    expect(receiptSchema.properties.platform.enum).toEqual([...fixedPlatforms, ...defaultVendorPlatforms]);
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawJson, stringify } from '../../../src/base/json-text.js';
import { bigint, boolean, bytea, inserting, text, timestamptz, uuid } from '../../../src/database/columns.js';
import type { Database } from '../../../src/database/database.js';
import { openDatabase } from '../../../src/database/open.js';
import { newStoreAddress } from '../../support/new-store.js';
import { stores } from '../../support/stores.js';

interface Line {
  readonly n: number;
  readonly id: string | null;
  readonly text: string | null | undefined;
  readonly bytes: Uint8Array | null;
  readonly flag: boolean | null;
  readonly at: string | null;
  readonly json: string | null;
  readonly ids: readonly string[];
}

const insertLines = inserting<Line>('lines', [
  bigint('n', ({ n }) => n),
  uuid('id', ({ id }) => id),
  text('text', ({ text }) => text),
  bytea('bytes', ({ bytes }) => bytes),
  boolean('flag', ({ flag }) => flag),
  timestamptz('at', ({ at }) => at),
  text('json', ({ json }) => json, 'jsonb'),
  text('ids', ({ ids }) => `{${ids.join()}}`, 'uuid[]'),
]);

const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
const line: fc.Arbitrary<Line> = fc.record({
  n: fc.maxSafeInteger(),
  id: fc.option(fc.uuid()),
  text: fc.option(
    fc.string({ unit: 'binary' }).map((some) => some.replaceAll('\0', '')),
    { nil: undefined },
  ),
  bytes: fc.option(fc.uint8Array()),
  flag: fc.option(fc.boolean()),
  at: fc.option(moment.map((date) => date.toISOString())),
  json: fc.option(fc.constantFrom('{}', '{"n": 1.10000000000000000000000001, "x": [null]}', '"ünï\\n"')),
  ids: fc.array(fc.uuid(), { maxLength: 3 }),
});

describe.each(stores)('rows that are inserted by columns, on %s', () => {
  let database: Database;
  let remove: () => Promise<void>;
  const sql = (statement: string) => database.transaction((tx) => tx.query(statement));
  const columns =
    "n bigint, id uuid, text text, bytes bytea, flag boolean, at timestamptz, json jsonb, ids uuid[], later text default 'unset'";
  beforeAll(async () => {
    const { store, remove: removeStore } = await newStoreAddress();
    remove = removeStore;
    database = await openDatabase(store);
    await sql(`create table lines (${columns})`);
    await sql(`create table others (${columns})`);
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  it('are those that the database makes of a JSON document with the same values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const rows = lines.map(({ text = null, bytes, json, ...rest }) => ({
          ...rest,
          text,
          bytes: bytes && `\\x${Buffer.from(bytes).toString('hex')}`,
          // With all digits of its numbers.
          json: json && new RawJson(json),
          later: 'unset',
        }));
        await database.transaction(async (tx) => {
          await tx.query('truncate lines, others');
          await tx.query('insert into others select * from json_populate_recordset(null::others, $1::json)', [
            stringify(rows),
          ]);
          await insertLines(tx, lines);
        });
        const [found, expected] = await Promise.all(
          ['lines', 'others'].map((table) => sql(`select t::text as row from ${table} t order by t::text`)),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('are refused with an id that is none, and nothing is there', async () => {
    const bad = { n: 1, id: 'none', text: 'x', bytes: null, flag: null, at: null, json: null, ids: [] };
    const good = { ...bad, id: '00000000-0000-4000-8000-00000000000a' };
    await sql('truncate lines');
    await expect(database.transaction((tx) => insertLines(tx, [good, bad]))).rejects.toThrow();
    await expect(database.transaction((tx) => insertLines(tx, [{ ...good, json: '{' }]))).rejects.toThrow();
    await expect(database.transaction((tx) => insertLines(tx, [{ ...good, text: '\0' }]))).rejects.toThrow();
    expect(await sql('select 1 from lines')).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listReceipts } from '../../../../projections/receipts/queries.js';
import { seqsOf } from '../../../../projections/receipts/times.js';
import { newStore, type Store } from '../../../maintenance/store.js';

let store: Store;
const chain = randomUUID();
const namespaceId = randomUUID();
const start = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const count = 700;
/** Seconds of each entry: many in one second, long silences, and a clock that was set back by up to 50 seconds. */
const seconds = Array.from(
  { length: count },
  (_, i) => 40 * (i >> 3) + (i % 100 > 90 ? -50 : 0) + (i > 400 ? 5000 : 0),
);

beforeAll(async () => {
  store = await newStore();
  const rows = seconds.map((second, i) => ({
    seq: i + 1,
    kind: i % 7 ? 'memory.write' : 'memory.recall',
    at: at(second),
  }));
  const params = [
    chain,
    rows.map(({ seq }) => seq),
    rows.map(({ kind }) => kind),
    rows.map((row) => row.at),
    namespaceId,
  ];
  await store.sql("insert into chains (chain, genesis, head_seq, head_hash, tag_key) values ($1, '', 0, '', '')", [
    chain,
  ]);
  await store.sql(
    `insert into entries (chain, seq, receipt_id, hash, bytes)
     select $1::uuid, seq, 'r' || seq, int8send(seq), '{}' from unnest($2::bigint[]) r(seq)`,
    params.slice(0, 2),
  );
  await store.sql(
    `insert into receipts (receipt_id, workspace_id, seq, kind, namespace_ids, recorded_at)
     select 'r' || seq, $1::uuid, seq, kind, array[$5::uuid], at
       from unnest($2::bigint[], $3::text[], $4::timestamptz[]) r(seq, kind, at)`,
    params,
  );
}, 60_000);
afterAll(() => store.close());

const list = (filter: { since?: string; until?: string; kinds?: string[] }, before: number | null) =>
  store.database.read(async (tx) => {
    const all = { ...filter, namespaceIds: [namespaceId], visible: null };
    return (await listReceipts(tx, chain, all, before, 50)).map(({ seq }) => seq);
  });

const time = fc.option(fc.integer({ min: -200, max: 10_000 }).map(at), { nil: undefined });

test('receipts of a time are those that comparing every one of them finds, also where a clock was set back', async () => {
  const before = fc.option(fc.integer({ min: 0, max: count + 2 }), { nil: null });
  const kind = fc.constantFrom(undefined, 'memory.recall', 'approval');
  const asked = fc.tuple(time, time, kind, before);
  const ask = async ([since, until, wanted, seq]: typeof asked extends fc.Arbitrary<infer T> ? T : never) => {
    const expected = seconds.flatMap((second, i) => {
      const inTime = (since === undefined || at(second) >= since) && (until === undefined || at(second) < until);
      const isKind = wanted === undefined || wanted === (i % 7 ? 'memory.write' : 'memory.recall');
      return inTime && isKind && (seq === null || i + 1 < seq) ? [i + 1] : [];
    });
    const filter = { ...(since && { since }), ...(until && { until }), ...(wanted && { kinds: [wanted] }) };
    expect(await list(filter, seq)).toEqual(expected.reverse().slice(0, 50));
  };
  await fc.assert(fc.asyncProperty(asked, ask), { numRuns: 300 });
}, 60_000);

test('of a chain only what stands near the times asked for is looked at', async () => {
  const range = (since?: string, until?: string) => store.database.read((tx) => seqsOf(tx, chain, { since, until }));
  expect(await range('2100-01-01T00:00:00Z')).toEqual({ first: count + 1, end: null });
  expect(await range(undefined, '2000-01-01T00:00:00Z')).toEqual({ first: 0, end: 1 });
  const { first, end } = await range(at(1000), at(1100));
  expect(first).toBeGreaterThan(150);
  expect(end).toBeLessThan(260);
  expect(await store.database.read((tx) => seqsOf(tx, randomUUID(), { since: at(0) }))).toEqual({
    first: 0,
    end: null,
  });
});

test('years that no clock shows are taken too', async () => {
  expect(await list({ since: '0001-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' }, null)).toHaveLength(50);
  expect(await list({ since: '9999-12-31T23:59:59Z' }, null)).toEqual([]);
});

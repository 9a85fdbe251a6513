import { expect, it } from 'vitest';
import { partitionOf } from '../../src/adapters/kafka/producer.js';
import { entryHash } from '../../src/ledger/chain.js';
import { placeOf } from '../../src/workers/relay/compare.js';
import { stopOf, warningOf } from '../../src/workers/relay/prepare.js';
import { batchesOf } from '../../src/workers/relay/records.js';

const whole = { partitions: 12, cleanup: 'delete', retentionMs: '-1', retentionBytes: '-1' };

// @covers RELAY-TOPIC
it('names what is wrong with a topic', () => {
  expect(stopOf('t', whole, 12)).toBeNull();
  expect(stopOf('t', whole, null)).toBeNull();
  expect(stopOf('t', whole, 6)).toContain('relay reset --topic NEW');
  expect(warningOf('t', whole)).toBeNull();
  expect(warningOf('t', { ...whole, cleanup: null, retentionMs: null, retentionBytes: null })).toBeNull();
  expect(warningOf('t', { ...whole, cleanup: 'compact' })).toContain('is compacted');
  expect(warningOf('t', { ...whole, retentionMs: '604800000', retentionBytes: '5' })).toContain(
    'retention.ms=604800000 and retention.bytes=5',
  );
});

it('divides records into batches below 1 MiB, in their order', () => {
  const record = (size: number) => ({ key: 'k', value: Buffer.alloc(size), headers: {} });
  const sizes = [500_000, 200_000, 200_000, 524_288, 1];
  const batches = batchesOf(sizes.map(record));
  expect(batches.map((batch) => batch.map(({ value }) => value?.length))).toEqual([
    [500_000, 200_000],
    [200_000, 524_288, 1],
  ]);
  expect(batchesOf([])).toEqual([]);
});

it('finds the place of an entry in a record, and none in other records', () => {
  const chain = '01a20629-a65d-79db-8141-9c39b8aff81d';
  const value = Buffer.from(JSON.stringify({ workspace_id: chain, seq: 7 }));
  expect(placeOf({ value })).toEqual({ chain, seq: 7, hash: entryHash(value) });
  for (const other of ['', '{', '5', 'null', '{"workspace_id":"x","seq":1}', `{"workspace_id":"${chain}","seq":"1"}`]) {
    expect(placeOf({ value: Buffer.from(other) })).toBeNull();
  }
  expect(placeOf({ value: null })).toBeNull();
});

it('chooses partitions as the clients in Java do', () => {
  // Of murmur2 with the seed and the sign mask of the client in Java: "21" has -973932308.
  expect(partitionOf('t', '21', 1_000_000)).toBe((-973932308 & 0x7fffffff) % 1_000_000);
});

import { expect, test } from 'vitest';
import { pageChecksum, storeChecksum, storedChecksum, withoutHoles } from '../../src/database/page-holes.js';

const table = '/pglite/data/base/5/16384';
const pageBytes = 8192;

/** A page with rows from `upper` on, line pointers up to `lower`, and bytes of deleted rows in between. */
function page({ block = 0, lower = 40, upper = 8000, checksum = true } = {}): Uint8Array {
  const bytes = new Uint8Array(pageBytes).fill(7);
  const view = new DataView(bytes.buffer);
  view.setUint16(12, lower, true);
  view.setUint16(14, upper, true);
  view.setUint16(16, pageBytes, true);
  view.setUint16(18, pageBytes | 4, true);
  storeChecksum(view, checksum ? pageChecksum(view, block) : 0);
  return bytes;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, pageBytes);

test('the hole of a page is zeros, its rows stay, and its checksum fits', () => {
  const before = page({ block: 3 });
  const after = withoutHoles(table, before, 3 * pageBytes);
  expect(after?.slice(40, 8000).every((byte) => byte === 0)).toBe(true);
  expect(after?.slice(8000)).toEqual(before.slice(8000));
  expect(after?.slice(12, 40)).toEqual(before.slice(12, 40));
  expect(after && storedChecksum(viewOf(after))).toBe(after && pageChecksum(viewOf(after), 3));
  // What the database holds in memory is its own.
  expect(before[100]).toBe(7);
});

test('of several pages written at once each is cleaned, also in the second file of a table', () => {
  const block = 131_072 + 5;
  const both = new Uint8Array(2 * pageBytes);
  both.set(page({ block }));
  both.set(page({ block: block + 1, upper: 40 }), pageBytes);
  const after = withoutHoles(`${table}.1`, both, 5 * pageBytes);
  expect(after?.slice(40, 8000).every((byte) => byte === 0)).toBe(true);
  expect(after?.slice(pageBytes)).toEqual(both.slice(pageBytes));
});

test('a store without checksums is cleaned too', () => {
  const after = withoutHoles(table, page({ checksum: false }), 0);
  expect(after?.[100]).toBe(0);
  expect(after && storedChecksum(viewOf(after))).toBe(0);
});

test('what is not surely a page of a table is written as it is', () => {
  expect(withoutHoles(`${table}_fsm`, page(), 0)).toBeNull();
  expect(withoutHoles(`${table}_vm`, page(), 0)).toBeNull();
  expect(withoutHoles('/pglite/data/pg_wal/000000010000000000000001', page(), 0)).toBeNull();
  expect(withoutHoles(table, page().slice(0, 4096), 0)).toBeNull();
  expect(withoutHoles(table, page(), 100)).toBeNull();
  expect(withoutHoles(table, new Uint8Array(pageBytes), 0)).toBeNull();
  // A checksum of another block: these bytes are not what we take them for.
  expect(withoutHoles(table, page({ block: 9 }), 0)).toBeNull();
});

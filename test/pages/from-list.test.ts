import { expect, it } from 'vitest';
import { noFields, readForm } from '../../src/pages/form.js';
import { listPlace, withPlace } from '../../src/pages/from-list.js';

const placeOf = (from: string, path: '/memories' | '/receipts' = '/memories') =>
  listPlace(path, { query: new URLSearchParams({ from }), form: noFields })?.address;

it.each([
  ['/memories', '/memories'],
  ['/memories?q=ferry&before=abc', '/memories?q=ferry&before=abc'],
  ['/memories?q=a%26b%3Dc&source=x%20y', '/memories?q=a%26b%3Dc&source=x+y'],
  ['/memories?evil=1&q=ferry#top', '/memories?q=ferry'],
  ['/x/../memories?q=ferry', '/memories?q=ferry'],
])('%s leads back to the list', (from, address) => expect(placeOf(from)).toBe(address));

it.each([
  '',
  'memories',
  '//evil.example/memories',
  '/\\evil.example/memories',
  'https://evil.example/memories',
  '/\t/evil.example/memories',
  'javascript:alert(1)//memories',
  '/memories/delete',
  '/memories/',
  '/receipts',
  '/sign-out',
  '/memories\r\nLocation: https://evil.example',
  `/memories?q=${'x'.repeat(3000)}`,
])('%j is no place in this list', (from) => expect(placeOf(from)).toBeUndefined());

it('is kept by a form, and belongs to the list of the page alone', () => {
  const form = readForm(Buffer.from('from=%2Fmemories%3Fq%3Dferry', 'utf8'));
  const query = new URLSearchParams();
  expect(listPlace('/memories', { query, form })?.address).toBe('/memories?q=ferry');
  expect(listPlace('/receipts', { query, form })).toBeNull();
  expect(placeOf('/receipts?kind=task&open=rcp_1', '/receipts')).toBe('/receipts?kind=task');
});

it('is written behind the address of one thing', () => {
  const place = { address: '/memories?q=a&before=b' };
  expect(withPlace('/m/1', place)).toBe('/m/1?from=%2Fmemories%3Fq%3Da%26before%3Db');
  expect(withPlace('/m/1?deleted', place)).toBe('/m/1?deleted&from=%2Fmemories%3Fq%3Da%26before%3Db');
  expect(withPlace('/m/1', null)).toBe('/m/1');
});

import { expect, it } from 'vitest';
import { depositOf, vaultColumns } from '../../src/ledger/deposits.js';

const salt = new Uint8Array(32).fill(7);
const deposit = (texts: Readonly<Record<string, string>>) => ({ receiptId: 'rcp_1', salt, texts });

it.each([
  [{}, [null, null, null, null, null]],
  [{ content: '', metadata: '{}' }, ['', '{}', null, null, null]],
  [{ content: 'a', source: 'chat', label: 'a.pdf' }, ['a', null, 'chat', 'a.pdf', null]],
  [{ private: '{"b":1,"a":1.0}', content: 'x' }, ['x', null, null, null, '{"private":"{\\"b\\":1,\\"a\\":1.0}"}']],
])('stores texts by their names and reads the same ones back: %o', (texts, stored) => {
  const row = vaultColumns(deposit(texts));
  expect([row.content, row.metadata, row.source, row.label, row.others]).toEqual(stored);
  expect(depositOf('rcp_1', row)).toEqual(deposit(texts));
});

it('reads rows from before there were other names', () => {
  const row = { salt, content: 'a', metadata: null, source: null, label: null };
  expect(depositOf('rcp_1', row)).toEqual(deposit({ content: 'a' }));
});

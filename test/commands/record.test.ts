import { expect, it } from 'vitest';
import { realWorld } from '../../src/base/world.js';
import { entries, nothing, recording } from '../../src/commands/record.js';
import { commit } from '../../src/ledger/chain.js';

const decided = { kind: 'key.kafka_secret_made', body: { key_id: 'one', secret_id: 'two' } } as const;

it('a command that is decided twice records the same entry', () => {
  const record = recording(realWorld);
  expect(record.entry(decided, 1)).toMatchObject({ drafts: record.entry(decided, 2).drafts });
  expect(record.commit('text')).toBe(record.commit('text'));
});

it('two commands record entries whose commitments cannot be compared', () => {
  const [one, other] = [recording(realWorld), recording(realWorld)];
  expect(one.receipt).not.toBe(other.receipt);
  expect(one.commit('text')).not.toBe(other.commit('text'));
});

it('deposits the text under the salt of the commitment, and nothing without a text', () => {
  const record = recording(realWorld);
  const [deposit] = record.entry(decided, null, { content: 'text' }).deposits;
  expect(deposit).toMatchObject({ receiptId: record.receipt, texts: { content: 'text' } });
  expect(commit(deposit?.salt ?? new Uint8Array(), 'text')).toBe(record.commit('text'));
  expect(record.effects(decided).deposits).toEqual([]);
});

it('answers what it was given', () => {
  expect(entries([], 'answer').answer([])).toBe('answer');
  expect(nothing(null)).toMatchObject({ drafts: [], deposits: [] });
});

import { expect, test } from 'vitest';
import { catalogue, isEntryKind, kindsFor } from '../../contracts/entries/catalogue.js';
import { mayReadTexts, readableAudiences } from '../../src/domain/receipt-access.js';
import { given } from '../support/given.js';

/** Everything that a key may read that does not reach all of its workspace, or is limited by scopes. Every other kind is about the whole workspace. */
const ofNamespaces = [
  ...['memory.write', 'memory.moved', 'memory.delete', 'memory.invalidated', 'memory.reinstated', 'memory.promoted'],
  ...[
    'memory.recall',
    'approval.excerpt',
    'approval.requested',
    'approval',
    'approval.ended',
    'decision',
    'handoff',
    'task',
    'receipt.private_erased',
  ],
];

test('every kind of a workspace is shown to readers of its namespaces, or only to readers of the whole workspace', () => {
  const kinds = Object.keys(catalogue).filter(isEntryKind);
  const ofWorkspaces = kinds.filter((kind) => catalogue[kind].chain === 'workspace');
  expect(kindsFor('memory').sort()).toEqual(ofNamespaces.sort());
  expect([...kindsFor('memory'), ...kindsFor('governance')].sort()).toEqual(ofWorkspaces.sort());
  const others = kinds.filter((kind) => catalogue[kind].chain !== 'workspace');
  expect([...kindsFor('public'), ...kindsFor('installation')].sort()).toEqual(others.sort());
});

test('a key reads what is about the whole workspace with its own right, or an earlier one while it is bound', () => {
  const workspace = given();
  const key = workspace.key();
  const all = ['memory', 'governance'];
  for (const isBound of [true, false]) {
    expect(readableAudiences(key, isBound)).toEqual(['memory']);
    expect(readableAudiences({ ...key, receipts: 'all' }, isBound)).toEqual(all);
    expect(readableAudiences({ ...key, receipts: 'while bound' }, isBound)).toEqual(isBound ? all : ['memory']);
  }
  for (const role of ['owner', 'admin', 'member', 'reader'] as const) {
    expect(readableAudiences(workspace.person(role), false)).toEqual(all);
  }
});

test('a key that reads all receipts reads texts of its namespaces only, and those of memories with a scope for them', () => {
  const key = { ...given().key(), namespaceIds: ['mine'] };
  const reads = (scopes: readonly string[], kind: string, ...namespace_ids: string[]) =>
    mayReadTexts({ ...key, scopes, receipts: 'all' }, { kind, namespace_ids });
  expect(reads(['receipts.read'], 'memory.write', 'mine')).toBe(false);
  expect(reads(['receipts.read', 'memory.read'], 'memory.write', 'mine')).toBe(true);
  expect(reads([], 'memory.write', 'mine')).toBe(true);
  expect(reads([], 'memory.write', 'mine', 'other')).toBe(false);
  expect(reads(['receipts.read'], 'decision', 'mine')).toBe(true);
  expect(reads(['receipts.read'], 'decision', 'other')).toBe(false);
  expect(reads(['receipts.read'], 'task')).toBe(true);
});

import { expect, test } from 'vitest';
import { catalogue, isEntryKind, kindsFor } from '../../contracts/entries/catalogue.js';
import type { Caller } from '../../src/domain/caller.js';
import { readableAudiences } from '../../src/domain/receipt-access.js';
import { given } from '../support/given.js';

/** Everything that a key may read that does not reach all of its workspace, or is limited by scopes. Every other kind is about the whole workspace. */
const ofNamespaces = [
  ...['memory.write', 'memory.moved', 'memory.delete', 'memory.invalidated', 'memory.reinstated', 'memory.promoted'],
  ...[
    'memory.recall',
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

test('a key reads what is about the whole workspace only if it reaches all of it and has no scopes', () => {
  const workspace = given();
  const key = workspace.key();
  const scoped: Caller = { ...key, scopes: ['memory.read', 'memory.write'] };
  const all = ['memory', 'governance'];
  expect(readableAudiences(key, true)).toEqual(all);
  expect(readableAudiences(key, false)).toEqual(['memory']);
  expect(readableAudiences(scoped, true)).toEqual(['memory']);
  expect(readableAudiences(scoped, false)).toEqual(['memory']);
  for (const role of ['owner', 'admin', 'member', 'reader'] as const) {
    expect(readableAudiences(workspace.person(role), false)).toEqual(all);
  }
});

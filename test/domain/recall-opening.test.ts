import { expect, it } from 'vitest';
import type { Actor } from '../../contracts/entries/entry.js';
import type { Caller } from '../../src/domain/caller.js';
import { mayOpenQuery } from '../../src/domain/receipt-access.js';

const actor = (type: Actor['type'], id: string | null, user_id: string | null = null): Actor => ({
  type,
  id,
  user_id,
  agent_id: 'agn_1',
  app_id: null,
  run_id: null,
});
const caller = (by: Actor, role: Caller['role'] = null): Caller => ({
  workspaceId: 'w',
  actor: by,
  scopes: [],
  namespaceIds: ['n'],
  agent: null,
  role,
  memoryApi: true,
});

// @covers QUERY-WHO
it.each<[string, boolean, Actor, Caller]>([
  ['the key that has searched', true, actor('key', 'k'), caller(actor('key', 'k'))],
  ['another key, of the same agent', false, actor('key', 'k'), caller(actor('key', 'l'))],
  ['an owner, of a key', true, actor('key', 'k'), caller(actor('person', 'p'), 'owner')],
  ['an admin, of an agent key', true, actor('agent_key', 'k'), caller(actor('person', 'p'), 'admin')],
  ['a member, of a key', false, actor('key', 'k'), caller(actor('person', 'p'), 'member')],
  ['the person who has searched', true, actor('person', 'p'), caller(actor('person', 'p'), 'reader')],
  ['an owner, of a person', false, actor('person', 'p'), caller(actor('person', 'q'), 'owner')],
  ['the person of a grant', true, actor('grant', 'g', 'p'), caller(actor('person', 'p'), 'member')],
  ['an owner, of the grant of a person', false, actor('grant', 'g', 'p'), caller(actor('person', 'q'), 'owner')],
  ['a key that names the person of a grant', false, actor('grant', 'g', 'p'), caller(actor('key', 'k', 'p'))],
  ['one without an id', false, actor('key', null), caller(actor('key', null))],
])('the query of a search may be opened: by %s %s', (_, expected, searched, by) => {
  expect(mayOpenQuery(searched, by)).toBe(expected);
});

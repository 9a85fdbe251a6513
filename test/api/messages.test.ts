import { describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { type Fields, readFields } from '../../contracts/input.js';
import { admit } from '../../src/api/admission.js';
import { isBytes } from '../../src/api/operation.js';
import { operations, workspaceOperations } from '../../src/api/operations.js';
import { noRateLimits } from '../../src/api/rate-limits.js';
import type { Caller } from '../../src/domain/caller.js';
import { readFilter, readSearchFilter } from '../../src/domain/filters.js';

const deep = { a: { b: [1] } };
const wrong = [
  undefined,
  null,
  5,
  -1,
  0.5,
  1e9,
  '',
  'x',
  'x'.repeat(5000),
  true,
  [],
  [5],
  ['x'],
  {},
  deep,
  { id: 5, op: '=' },
];
/** The words of the validator, which mean nothing to a caller. */
const foreign =
  /expected|invalid (input|option|string|guid|uuid|iso|email|url)|too (small|big)|received|>=|<=|regex|undefined|NaN|\[object/i;

function messageOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [error.message];
    throw error;
  }
}

describe('messages about wrong values', () => {
  // @covers ERROR-WORDS
  it('are sentences, any field of any operation is wrong', () => {
    const fields = operations.flatMap(({ body, query }): Fields[] => (isBytes(body) ? [query] : [query, body]));
    const messages = fields.flatMap((all) =>
      Object.entries(all).flatMap(([name, field]) =>
        wrong.flatMap((value) => messageOf(() => readFields({ [name]: field }, { [name]: value }))),
      ),
    );
    expect(new Set(messages).size).toBeGreaterThan(100);
    expect(messages.filter((message) => foreign.test(message) || !message.endsWith('.'))).toEqual([]);
  });

  // @covers ERROR-WORDS
  it('are sentences about filters too', () => {
    const leaves = ['source', 'created_after', 'include_playground', 'metadata', 'min_score', 'all', 'unknown'];
    const messages = leaves.flatMap((name) =>
      wrong.flatMap((value) => messageOf(() => readSearchFilter({ [name]: value }))),
    );
    const tests = wrong.flatMap((eq) => messageOf(() => readFilter({ metadata: { a: { in: eq, gt: eq } } })));
    expect([...messages, ...tests].filter((message) => foreign.test(message))).toEqual([]);
  });

  // @covers ERROR-WORDS
  it('name the call that needs another person', async () => {
    const actor = { type: 'person', id: 'p', user_id: 'p', agent_id: null, app_id: null, run_id: null } as const;
    const member: Caller = {
      workspaceId: 'w',
      actor,
      scopes: [],
      namespaceIds: ['n'],
      agent: 'a',
      role: 'member',
      memoryApi: true,
    };
    const key: Caller = { ...member, role: null, actor: { ...actor, type: 'key' } };
    const messages = new Map<string, string>();
    for (const operation of workspaceOperations) {
      for (const caller of [member, key]) {
        const refused = await admit(operation, caller, noRateLimits).catch((error: unknown) => error);
        if (!(refused instanceof Refusal) || !['admin_required', 'user_session_required'].includes(refused.code))
          continue;
        messages.set(`${caller.actor.type} ${operation.documentation.id}`, refused.message);
      }
    }
    expect(messages.get('person createKey')).toBe('"Create an API key" needs an owner or admin who is signed in.');
    expect(messages.get('key createKey')).toBe('"Create an API key" needs a person who is signed in.');
    expect(messages.get('person exportMemories')).toMatch(/ or a key that is not limited by scopes\.$/);
    expect(messages.get('person approve')).not.toMatch(/export/i);
    expect(new Set(messages.values()).size).toBe(messages.size);
  });

  // @covers ERROR-WORDS
  it('say what the value must be', () => {
    const of = (path: string, method: string, name: string, value: unknown) => {
      const found = operations.find((one) => one.path === path && one.method === method);
      const all: Fields = { ...found?.query, ...(found && !isBytes(found.body) ? found.body : {}) };
      const field = all[name];
      return field && messageOf(() => readFields({ [name]: field }, { [name]: value }))[0];
    };
    expect(of('/v1/memories', 'POST', 'content', 5)).toBe('content: must be a string.');
    expect(of('/v1/memories', 'POST', 'content', undefined)).toBe('content: is missing: it must be a string.');
    expect(of('/v1/memories', 'POST', 'playground', 'x')).toBe('playground: must be true or false.');
    expect(of('/v1/memories', 'GET', 'limit', '0')).toBe('limit: must be at least 1.');
    expect(of('/v1/memories', 'GET', 'limit', '1000')).toBe('limit: must be at most 100.');
    expect(of('/v1/memories/search', 'POST', 'query', '')).toBe('query: must not be empty.');
    expect(of('/v1/memories/search', 'POST', 'namespace_ids', ['x'])).toBe('namespace_ids.0: must be a UUID.');
    expect(messageOf(() => readFilter({ source: 5 }))).toEqual(['filters: source: must be a string or a list.']);
  });
});

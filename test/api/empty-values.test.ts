import { describe, expect, it } from 'vitest';
import { memoryIn } from '../../contracts/memory.js';
import { memoryListQuery } from '../../contracts/memory-list.js';
import { searchIn } from '../../contracts/search.js';
import { hasText } from '../../contracts/text.js';
import { readFilter } from '../../src/domain/filters.js';

const refuses = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  expect(schema.safeParse(value).success).toBe(false);

describe('values that name nothing', () => {
  // @covers FILTER-SOURCE FILTER-PROVENANCE
  it.each(['source', 'user_id', 'app_id', 'run_id', 'approved_by'])('an empty %s of a filter is refused', (name) => {
    for (const value of ['', [''], ['a', '']]) expect(() => readFilter({ [name]: value })).toThrow(/must not be empty/);
    expect(readFilter({ [name]: 'a' }).leaves).toEqual({ [name]: ['a'] });
  });

  it.each([
    'source',
    'user_id',
    'agent_id',
    'app_id',
    'run_id',
    'approved_by',
  ] as const)('an empty %s of the list is refused', (name) => refuses(memoryListQuery[name].schema, ''));

  it('an empty agent of a search is refused, and a list of alternatives without any', () => {
    refuses(searchIn.agent_id.schema, '');
    expect(() => readFilter({ any: [] })).toThrow('any must have at least one filter');
    expect(() => readFilter({ not: [{ any: [] }] })).toThrow('any must have at least one filter');
    expect(readFilter({ all: [], not: [] })).toMatchObject({ all: [], any: null, not: [] });
  });

  it('a content that no one can see is refused', () => {
    for (const text of [
      ' ',
      '\n\t',
      '\u200b',
      '\ufeff',
      '\u00a0\u2003',
      '\u2060\u200d',
      '\u3164',
      '\u2800',
      '\u0007',
    ]) {
      expect(hasText(text)).toBe(false);
      refuses(memoryIn.content.schema, text);
    }
    for (const text of ['x', ' . ', '🌍', '\u200bé', '日']) expect(hasText(text)).toBe(true);
  });
});

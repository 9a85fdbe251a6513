import { describe, expect, it, test } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { searchIn } from '../../contracts/search.js';
import { webhookIn } from '../../contracts/webhooks.js';
import { filterSql } from '../../projections/memory/filter-sql.js';
import { noFilter, readFilter, readSearchFilter } from '../../src/domain/filters.js';

/** The message of the refusal of a filter, given as JSON text; null if it is taken. */
function refusalOf(json: string): string | null {
  try {
    const filter = readFilter(JSON.parse(json));
    // What is taken has a condition of its own.
    expect(filterSql(filter, undefined).key).not.toBe(filterSql(readFilter({}), undefined).key);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('invalid_filters');
    return error.message;
  }
}

// @covers FILTER-PROTO
it.each([
  '{"__proto__":{"source":"a"}}',
  '{"source":"a","__proto__":{"source":"b"}}',
  '{"constructor":1}',
  '{"toString":"a"}',
  '{"all":[{"__proto__":{"source":"b"}}]}',
  '{"not":[{"metadata":{"__proto__":"b"}}]}',
  '{"metadata":{"__proto__":1}}',
  '{"metadata":{"a":1,"__proto__":{"eq":1}}}',
  '{"metadata":{"a":{"eq":1,"__proto__":{"ne":2}}}}',
])('refuses a filter that would be ignored: %s', (json) => {
  expect(refusalOf(json)).toMatch(/__proto__|constructor|toString/);
});

// @covers FILTER-PROTO
it('takes other keys of metadata that every object has', () => {
  for (const key of ['constructor', 'toString', 'hasOwnProperty', '']) {
    expect(refusalOf(JSON.stringify({ metadata: { [key]: 'x' } }))).toBeNull();
  }
});

// @covers FILTER-NUMBERS
it.each([
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
])('refuses numbers that would be compared as other ones: %s', (name) => {
  const of = (number: string) => refusalOf(`{"metadata":{"a":{"${name}":${number}}}}`);
  for (const number of ['9007199254740993', '9007199254740992', '-9007199254740993', '1e16', '123456789012345678901']) {
    expect([number, of(number)]).toEqual([number, expect.stringContaining('2^53')]);
  }
  for (const number of ['9007199254740991', '-9007199254740991', '0', '1.5', '1e15']) expect(of(number)).toBeNull();
});

// @covers FILTER-NUMBERS
it('refuses such numbers as the value itself and in lists, and takes them as text', () => {
  expect(refusalOf('{"metadata":{"a":9007199254740993}}')).toContain('2^53');
  expect(refusalOf('{"metadata":{"a":{"in":[1,9007199254740993]}}}')).toContain('2^53');
  expect(refusalOf('{"metadata":{"a":"9007199254740993"}}')).toBeNull();
});

// @covers FILTER-PROTO FILTER-NUMBERS
test('a body loses no member of its filters, and the pattern of a webhook is as strict', () => {
  const filters = searchIn.filters.schema;
  expect(filters.safeParse(JSON.parse('{"__proto__":{"source":"a"}}')).success).toBe(false);
  expect(filters.safeParse({ source: 'a' }).success).toBe(true);
  const pattern = webhookIn.pattern.schema;
  for (const json of ['{"a":1,"__proto__":2}', '{"a":9007199254740993}']) {
    expect(pattern.safeParse({ metadata: JSON.parse(json) }).success).toBe(false);
  }
  expect(pattern.safeParse({ metadata: { a: 1 } }).success).toBe(true);
});

describe('what a search asks of its hits', () => {
  const read = (json: string) => readSearchFilter(JSON.parse(json));
  const sentenceOf = (read: () => unknown): string => {
    try {
      return JSON.stringify(read());
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_filters') return error.message;
      throw error;
    }
  };

  // @covers FILTER-HITS
  it('is no part of the conditions on memories, which do not know of it', () => {
    expect(readSearchFilter(undefined)).toEqual({ filter: noFilter, hits: { minScore: 0, neighbours: true } });
    expect(read('{"source":"a","min_score":0.25,"neighbours":false}')).toEqual({
      filter: readFilter({ source: 'a' }),
      hits: { minScore: 0.25, neighbours: false },
    });
    for (const score of [0, 1]) expect(read(`{"min_score":${score}}`).hits.minScore).toBe(score);
    expect(read('{"neighbours":true}').hits.neighbours).toBe(true);
  });

  // @covers FILTER-HITS
  it('is refused with a sentence where it is wrong', () => {
    for (const score of ['-0.01', '1.01', '"0.5"', 'null', '1e999', '[0.5]']) {
      const sentence = sentenceOf(() => read(`{"min_score":${score}}`));
      expect([score, sentence]).toEqual([score, 'filters: min_score: must be a number from 0 to 1.']);
    }
    for (const value of ['"false"', '0', 'null', '{}']) {
      const sentence = sentenceOf(() => read(`{"neighbours":${value}}`));
      expect([value, sentence]).toEqual([value, 'filters: neighbours: must be true or false.']);
    }
  });

  // @covers FILTER-HITS
  it.each(['min_score', 'neighbours'])('belongs to the top level of a search only: %s', (name) => {
    const value = name === 'min_score' ? '0.5' : 'false';
    const sentence = `filters: ${name}: stands only at the top level of the filters of a search, because it is about hits.`;
    for (const list of ['all', 'any', 'not']) {
      expect(sentenceOf(() => read(`{"${list}":[{"${name}":${value}}]}`))).toBe(sentence);
      expect(sentenceOf(() => read(`{"${list}":[{"all":[{"${name}":${value}}]}]}`))).toBe(sentence);
    }
    // What deletes by a filter has no hits.
    expect(sentenceOf(() => readFilter(JSON.parse(`{"${name}":${value}}`)))).toBe(sentence);
    expect(read(`{"metadata":{"${name}":${value}}}`).hits).toEqual({ minScore: 0, neighbours: true });
  });

  // @covers FILTER-PROTO
  it('does not hide a member that is refused', () => {
    expect(sentenceOf(() => read('{"min_score":0.5,"__proto__":{"source":"b"}}'))).toMatch(/__proto__/);
  });
});

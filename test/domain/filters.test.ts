import { describe, expect, it, test } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { ExactNumber } from '../../contracts/exact-number.js';
import { searchIn } from '../../contracts/search.js';
import { webhookIn } from '../../contracts/webhooks.js';
import { filterSql } from '../../projections/memory/filter-sql.js';
import type { Value } from '../../src/database/database.js';
import { comparableJson, exactCanonical } from '../../src/domain/exact-json.js';
import { noFilter, readFilter, readSearchFilter, sentFilters } from '../../src/domain/filters.js';
import { sentPattern } from '../../src/domain/stored-pattern.js';

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

/** The filter as a search reads it from a body. */
const sent = (json: string) => readSearchFilter(sentFilters(new Map([['filters', json]])));
/** The parameters of the condition. */
function paramsOf(json: string): Value[] {
  const params: Value[] = [];
  filterSql(sent(json).filter, undefined)((value) => `$${params.push(value)}`);
  return params;
}

// @covers FILTER-NUMBERS
it.each(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])('compares numbers by the digits that were sent: %s', (name) => {
  for (const [given, compared] of [
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740993.0', '9007199254740993'],
    ['90071992547409930e-1', '9007199254740993'],
    ['123456789012345678901', '123456789012345678901'],
    ['0.1000000000000000055', '0.1000000000000000055'],
    ['1e-400', `0.${'0'.repeat(399)}1`],
    ['1e400', `1${'0'.repeat(400)}`],
    ['12.50e1', '125'],
    ['-0', '0'],
    ['0e99999', '0'],
    ['1e15', '1000000000000000'],
  ]) {
    expect([given, paramsOf(`{"metadata":{"a":{"${name}":${given}}}}`).at(-1)]).toEqual([given, compared]);
  }
});

// @covers FILTER-NUMBERS
it('keeps their digits as the value itself, in lists, in levels and in the text of a deletion', () => {
  const long = '9007199254740993';
  expect(paramsOf(`{"metadata":{"a":${long}}}`)).toEqual(['a', long]);
  expect(paramsOf(`{"any":[{"not":[{"metadata":{"a":{"in":[1,${long},"${long}"]}}}]}]}`)).toEqual([
    ...['a', '1', long, `"${long}"`],
  ]);
  expect(paramsOf(`{"metadata":{"a":{"contains":${long}}}}`)).toEqual(['a', `[${long}]`]);
  const keyOf = (json: string) => filterSql(sent(json).filter, undefined).key;
  const keys = [long, '9007199254740992', '9007199254740995', `"${long}"`, `{"eq":"${long}"}`];
  expect(new Set(keys.map((value) => keyOf(`{"metadata":{"a":${value}}}`))).size).toBe(4);
  expect(exactCanonical(sentFilters(new Map([['filters', `{"metadata":{"b":${long}.0,"a":[]}}`]])))).toBe(
    `{"metadata":{"a":[],"b":${long}}}`,
  );
});

// @covers FILTER-NUMBERS
it('bounds the digits, and takes such a number nowhere but as a value', () => {
  const read = (json: string) => () => sent(json);
  for (const number of ['9'.repeat(1000), `0.${'0'.repeat(999)}1`, `-1.${'5'.repeat(999)}`, '1e999']) {
    expect(read(`{"metadata":{"a":${number}}}`)).not.toThrow();
  }
  for (const number of ['9'.repeat(1001), '1e1000', '1e-1001', '1e99999999999999999999', `1.${'5'.repeat(1000)}`]) {
    expect(read(`{"metadata":{"a":${number}}}`)).toThrow('filters: a number has more than 1000 digits.');
  }
  for (const place of ['"source":_', '"all":[_]', '"metadata":_', '"metadata":{"a":{"exists":_}}', '"any":_']) {
    expect(read(`{${place.replace('_', '9007199254740993')}}`)).toThrow(Refusal);
  }
  expect(sent('{"min_score":0.10000000000000000555}').hits.minScore).toBe(0.1);
  expect(refusalOf('{"metadata":{"a":[1]}}')).toBe(
    'filters: metadata.a: must be a string, a number, true or false or null.',
  );
});

// @covers FILTER-NUMBERS
test.each([
  ['{ "a": 1.50, "b": [] }', '{"a":1.5,"b":[]}'],
  [
    '{"n":[{"é":9007199254740993}],"a":1e400,"z":-1.10}',
    '{"a":1'.concat('0'.repeat(400), ',"n":[{"é":9007199254740993}],"z":-1.1}'),
  ],
  [`{"large":1e999999,"small":1e-999999,"long":0.1${'0'.repeat(2000)}1}`, '{"large":null,"long":0.1,"small":0}'],
])('metadata are compared by their digits too, as far as jsonb takes them: %.60s', (text, json) => {
  expect(comparableJson(text)).toBe(json);
});

// @covers FILTER-PROTO FILTER-NUMBERS
test('a body loses no member of its filters, and the pattern of a webhook is as strict', () => {
  const filters = searchIn.filters.schema;
  expect(filters.safeParse(JSON.parse('{"__proto__":{"source":"a"}}')).success).toBe(false);
  expect(filters.safeParse({ source: 'a' }).success).toBe(true);
  const pattern = webhookIn.pattern.schema;
  expect(pattern.safeParse({ metadata: JSON.parse('{"a":1,"__proto__":2}') }).success).toBe(false);
  expect(pattern.safeParse({ metadata: { a: 1 } }).success).toBe(true);
  const sent = (metadata: string) => sentPattern(new Map([['pattern', `{"metadata":${metadata}}`]]));
  expect(() => sent('{"a":1,"__proto__":2}')).toThrow('pattern.metadata: must not have the key __proto__.');
  expect(sent('{"a":9007199254740993}')).toEqual({ metadata: { a: new ExactNumber('9007199254740993') } });
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

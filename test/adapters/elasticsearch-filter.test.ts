import { describe, expect, test } from 'vitest';
import { clausesOf } from '../../src/adapters/elasticsearch/filter.js';
import { readFilter } from '../../src/domain/filters.js';

const clauses = (given: Record<string, unknown>, agentId?: string) => clausesOf({ tree: readFilter(given), agentId });
const source = (...names: string[]) => ({ terms: { source: names } });
const long = 'x'.repeat(8192);

describe('a filter in Elasticsearch', () => {
  // @covers ESR-FILTERS
  test.each<[string, Record<string, unknown>, object[]]>([
    ['sources', { source: ['a', 'b'] }, [source('a', 'b')]],
    ['a source that is too long for the index', { source: ['a', long] }, []],
    ['metadata and what else is not mapped', { metadata: { n: 1 }, user_id: 'u', include_playground: true }, []],
    ['both parts of all', { all: [{ source: 'a' }, { metadata: { n: 1 } }] }, [source('a')]],
    [
      'one of several',
      { any: [{ source: 'a' }, { all: [{ source: 'b' }, { metadata: { n: 1 } }] }] },
      [
        {
          bool: {
            should: [{ bool: { filter: [source('a')] } }, { bool: { filter: [source('b')] } }],
            minimum_should_match: 1,
          },
        },
      ],
    ],
    ['one of several, of which one is not known', { any: [{ source: 'a' }, { metadata: { n: 1 } }] }, []],
    ['not a source', { not: [{ source: 'a' }] }, [{ bool: { must_not: [{ bool: { filter: [source('a')] } }] } }]],
    ['not what is known in part only', { not: [{ source: 'a', metadata: { n: 1 } }] }, []],
    ['not a time, whose bounds are wider there', { not: [{ created_after: '2026-01-01T00:00:00Z' }] }, []],
    ['not a negation that was left out', { not: [{ source: 'a', not: [{ metadata: { n: 1 } }] }] }, []],
  ])('%s', (_, given, expected) => {
    expect(clauses(given)).toEqual(expected);
  });

  // @covers ESR-FILTERS
  test('times are wider by a millisecond, and an agent is exact', () => {
    const time = { created_after: '2026-01-01T00:00:00.0004Z', created_before: '2026-01-01T00:00:01Z' };
    const first = Date.parse('2026-01-01T00:00:00Z');
    expect(clauses(time, 'agn_1')).toEqual([
      { range: { time: { gte: first - 1 } } },
      { range: { time: { lte: first + 1001 } } },
      { term: { agent: 'agn_1' } },
    ]);
  });
});

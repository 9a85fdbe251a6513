import { describe, expect, it } from 'vitest';
import { createPageCount, pageFacts } from '../../src/domain/imports/pages.js';

/** Everything that is said about pages, each of them with this number of memories. */
function lackOf(...pages: readonly (readonly [number, Record<string, unknown>])[]): string[] {
  const said: string[] = [];
  const count = createPageCount((sentence) => said.push(sentence));
  for (const [at, [items, page]] of pages.entries()) count.page(pageFacts(page, items), at + 1);
  count.end();
  return said;
}

describe('the pages of a list', () => {
  // @covers IMPORT-WHOLE
  it.each([
    { count: 180, next: 'https://example.org/?page=2' },
    { count: 180 },
    { total: 180, next_cursor: null },
    { total_count: 2 },
    { pagination: { total: 5 } },
    { record_count: 2 },
    { total: 180, page: 1, size: 1, pages: 180 },
  ])('are too few: %j', (page) => {
    const [total] = Object.values({ ...page, ...page.pagination }).filter((value) => typeof value === 'number');
    expect(lackOf([1, page])).toEqual([
      `the list that ends with value 1 has ${total} memories: ${(total ?? 0) - 1} of them are not here`,
    ]);
  });

  // @covers IMPORT-WHOLE
  it.each([
    { next: 'https://example.org/?page=2' },
    { next_cursor: 'abc' },
    { nextCursor: 'abc' },
    { has_more: true },
    { hasMore: true, next: null },
    { next_page: 2 },
    { nextPageToken: 't' },
    { page: 1, total_pages: 2 },
    { page_info: { has_next: true } },
    { links: { next: '/2' } },
  ])('name a next one: %j', (page) => {
    expect(lackOf([1, page])).toEqual(['value 1 names a next page that is not here: this is not the whole list']);
    expect(lackOf([1, page], [1, {}])).toEqual([]);
  });

  // @covers IMPORT-WHOLE
  it.each([
    { previous: 'https://example.org/?page=1' },
    { page: 2, pages: 2 },
    { has_previous: true },
    { offset: 100 },
  ])('name one before: %j', (page) => {
    expect(lackOf([1, page])).toEqual(['value 1 names a page before it that is not here: this is not the whole list']);
  });

  it.each([
    [[[1, {}]]],
    [[[1, { count: 1, next: null, previous: null }]]],
    [[[0, { count: 0, has_more: false }]]],
    [
      [
        [100, { count: 150, next: '/2' }],
        [50, { count: 150, next: null, previous: '/1' }],
      ],
    ],
    [
      [
        [100, { count: 150, next: '/2' }],
        [51, { count: 151, next: null, previous: '/1' }],
      ],
    ],
    [
      [
        [100, { total: 150 }],
        [50, { total: 150 }],
      ],
    ],
    [
      [
        [1, { count: 1 }],
        [2, { count: 2 }],
        [2, { count: 2 }],
      ],
    ],
    [
      [
        [1, { page: 1, pages: 2, total: 2 }],
        [1, { page: 2, pages: 2, total: 2 }],
      ],
    ],
    [[[1, { next: '', next_cursor: null, has_more: false }]]],
  ] as [[number, object][]][])('are the whole: %j', (pages) => {
    expect(lackOf(...pages.map(([items, page]) => [items, { ...page }] as const))).toEqual([]);
  });

  it('are counted for each list', () => {
    expect(lackOf([1, { count: 3 }], [2, { count: 2 }], [1, { count: 9, next: '/2' }])).toEqual([
      'the list that ends with value 1 has 3 memories: 2 of them are not here',
      'the list that ends with value 3 has 9 memories: 8 of them are not here',
    ]);
  });
});

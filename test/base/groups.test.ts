import { describe, expect, it } from 'vitest';
import { inGroups } from '../../src/base/groups.js';

describe('groups of items', () => {
  it.each([
    ['nothing', [], []],
    ['as many as fit', [3, 3, 4, 1], [[3, 3, 4], [1]]],
    ['a large one by itself', [3, 11, 3], [[3], [11], [3]]],
    ['a large one first', [11, 3], [[11], [3]]],
    ['what has no size', [0, 10, 0], [[0, 10, 0]]],
    ['what has no size, behind a large one', [11, 0], [[11], [0]]],
  ])('have %s', (_, sizes, groups) => {
    expect(inGroups(sizes, (size) => size, { size: 10 })).toEqual(groups);
  });

  it('have no more items than they may', () => {
    expect(inGroups([1, 2, 3, 4, 5], () => 1, { size: 10, items: 2 })).toEqual([[1, 2], [3, 4], [5]]);
  });
});

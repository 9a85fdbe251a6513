import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFrontier } from '../../src/verifier/frontier.js';
import { leavesOf, naiveTree } from './naive-tree.js';

const most = 600;
const leaves = leavesOf(most);
const tree = naiveTree(leaves);

describe('a frontier', () => {
  it('has the root of every size that it grows through', () => {
    const frontier = openFrontier();
    expect(frontier.root()).toEqual(tree.root(0));
    for (const leaf of leaves) {
      frontier.add(leaf);
      expect(frontier.root()).toEqual(tree.root(frontier.size()));
    }
  });

  it('reports every subtree that became complete, once and with its place', () => {
    const frontier = openFrontier();
    const completed = leaves.flatMap((leaf) => frontier.add(leaf));
    for (const { height, index, hash } of completed) {
      expect(hash).toEqual(tree.subtree(index * 2 ** height, (index + 1) * 2 ** height));
    }
    const expected = [...Array(10).keys()].reduce((sum, height) => sum + Math.floor(most / 2 ** height), 0);
    expect(new Set(completed.map(({ height, index }) => `${height} ${index}`)).size).toBe(expected);
    expect(completed).toHaveLength(expected);
  });

  it('is the same when it is made of subtrees', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: most }), (size) => {
        const frontier = openFrontier();
        for (let height = 9; height >= 0; height -= 1) {
          const at = frontier.size();
          if (at + 2 ** height <= size) frontier.add(tree.subtree(at, at + 2 ** height), height);
        }
        expect(frontier.size()).toBe(size);
        expect(frontier.root()).toEqual(tree.root(size));
      }),
    );
  });

  it('refuses a subtree that does not fit behind what is there', () => {
    const frontier = openFrontier();
    frontier.add(leaves[0] ?? new Uint8Array());
    expect(() => frontier.add(tree.subtree(0, 2), 1)).toThrow(RangeError);
  });
});

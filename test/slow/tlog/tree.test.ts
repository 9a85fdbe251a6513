import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Completed,
  consistencyProof,
  grow,
  inclusionProof,
  type Tiles,
  treeRoot,
} from '../../../src/tlog/tree.js';
import { verifyConsistency, verifyInclusion } from '../../../src/verifier/merkle.js';
import { leavesOf, naiveTree } from '../../verifier/naive-tree.js';

const most = 66_600;
const leaves = leavesOf(most);
const tree = naiveTree(leaves);
const leafAt = (index: number): Uint8Array => leaves[index] ?? new Uint8Array();

/** Everything that each level has in a tree of that size, by C2SP tlog-tiles: hash i of level L stands for 256^L leaves. */
function levelsOf(size: number): Uint8Array[][] {
  return [1, 256, 65_536].map((under) =>
    Array.from({ length: Math.floor(size / under) }, (_, at) => tree.subtree(at * under, (at + 1) * under)),
  );
}

/** Tiles of these levels, and what was read of them. Refuses to read what a tree of that size does not have. */
function tilesOver(levels: readonly Uint8Array[][], size = most): Tiles & { readonly reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    read: async (level, index, width) => {
      reads.push(`${level}/${index}`);
      const hashes = levels[level]?.slice(256 * index, 256 * index + width) ?? [];
      expect(width).toBeGreaterThan(0);
      expect(256 * index + width).toBeLessThanOrEqual(Math.floor(size / 256 ** level));
      expect(hashes.length, `${width} hashes of tile ${level}/${index}`).toBe(width);
      return Uint8Array.from(Buffer.concat(hashes));
    },
  };
}

const levels = levelsOf(most);
const borders = [1, 2, 255, 256, 257, 511, 512, 513, 65_279, 65_280, 65_281, 65_535, 65_536, 65_537, 65_792, most];
const sizes = fc.oneof(fc.integer({ min: 1, max: most }), fc.constantFrom(...borders));

/** No tile twice, and of each level at most this number. */
function expectFew(reads: readonly string[], ofEachLevel: number): void {
  expect(new Set(reads).size).toBe(reads.length);
  for (const level of [0, 1, 2]) {
    expect(reads.filter((read) => read.startsWith(`${level}/`)).length).toBeLessThanOrEqual(ofEachLevel);
  }
}

async function expectProofs(from: number, index: number, size: number): Promise<void> {
  const [one, two] = [tilesOver(levels, size), tilesOver(levels, size)];
  const proof = await inclusionProof(one, index, size);
  expect(proof).toEqual(tree.inclusion(index, size));
  expectFew(one.reads, 2);
  const root = tree.root(size);
  expect(verifyInclusion({ leaf: leafAt(index), index, size, proof, root })).toBeNull();
  const grown = await consistencyProof(two, from, size);
  expect(grown).toEqual(tree.consistency(from, size));
  expectFew(two.reads, 2);
  const fromRoot = tree.root(from);
  expect(verifyConsistency({ from, fromRoot, to: size, toRoot: root, proof: grown })).toBeNull();
}

describe('proofs from tiles', () => {
  it('are those of RFC 6962 for every leaf and pair of trees up to 70 leaves', async () => {
    for (let size = 1; size <= 70; size += 1) {
      for (let index = 0; index < size; index += 1) await expectProofs(index + 1, index, size);
    }
  });

  it('are those of RFC 6962 at the borders of tiles', async () => {
    for (const size of borders) {
      for (const other of borders) {
        if (other <= size) await expectProofs(other, other - 1, size);
        if (other < size) await expectProofs(other, other, size);
      }
    }
  });

  it('are those of RFC 6962 in larger trees', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, index, from) => {
        await expectProofs(1 + (from % size), index % size, size);
      }),
      { numRuns: 300 },
    );
  });

  it('have the root of RFC 6962, read from one tile of each level', async () => {
    expect(await treeRoot(tilesOver([]), 0)).toEqual(tree.root(0));
    for (const size of borders) {
      const tiles = tilesOver(levels, size);
      expect(await treeRoot(tiles, size)).toEqual(tree.root(size));
      expectFew(tiles.reads, 1);
    }
  });

  it.each([
    [0, 0],
    [1, 1],
    [-1, 1],
    [Number.NaN, 1],
  ])('are not made of leaf %d of a tree of %d', async (index, size) => {
    await expect(inclusionProof(tilesOver(levels), index, size)).rejects.toThrow(RangeError);
  });

  it.each([
    [0, 1],
    [2, 1],
    [-1, 1],
    [1, Number.NaN],
  ])('are not made of the growth from %d to %d leaves', async (from, to) => {
    await expect(consistencyProof(tilesOver(levels), from, to)).rejects.toThrow(RangeError);
  });

  it('are not made from a tile that lacks hashes', async () => {
    const short: Tiles = { read: async (_level, _index, width) => new Uint8Array(32 * width - 1) };
    await expect(treeRoot(short, 5)).rejects.toThrow('tile 0 of level 0 has 159 bytes where 5 hashes should be');
    await expect(grow(short, 0, 256).next()).rejects.toThrow('where 256 hashes should be');
  });
});

describe('growth', () => {
  /** Grows a store from `from` to `to`, appending in batches as a store would, while the leaves are all there already. */
  async function growStore(store: Uint8Array[][], from: number, to: number, batch: number): Promise<void> {
    let waiting: Completed[] = [];
    const append = () => {
      for (const { level, index, offset, hash } of waiting) {
        const hashes = store[level] ?? [];
        expect(hashes.length, `level ${level} has no gap`).toBe(256 * index + offset);
        store[level] = [...hashes, hash];
      }
      waiting = [];
    };
    for await (const completed of grow(tilesOver(store), from, to)) {
      waiting.push(completed);
      if (waiting.length === batch) append();
    }
    append();
  }

  it('gives every level what C2SP tlog-tiles says, in any steps and any batches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { maxLength: 6 }), fc.integer({ min: 1, max: 300 }), async (stops, batch) => {
        const store = [leaves];
        let from = 0;
        for (const to of [...stops, most].sort((a, b) => a - b)) {
          await growStore(store, from, to, batch);
          expect(store.slice(1).map((hashes) => hashes.length)).toEqual(
            [256, 65_536]
              .map((under) => Math.floor(to / under))
              .filter((count, at) => count > 0 || at + 1 < store.length),
          );
          from = to;
        }
        expect(store.slice(1)).toEqual(levels.slice(1));
      }),
      { numRuns: 10 },
    );
  });

  it('gives nothing before a tile is complete, and reads nothing', async () => {
    const tiles = tilesOver(levels);
    for await (const completed of grow(tiles, 257, 511)) expect(completed).toBeUndefined();
    for await (const completed of grow(tiles, 300, 300)) expect(completed).toBeUndefined();
    expect(tiles.reads).toEqual([]);
  });

  it('reads the end of each level once when it continues', async () => {
    const tiles = tilesOver(levelsOf(65_535).with(0, leaves));
    const grown: Completed[] = [];
    for await (const completed of grow(tiles, 65_535, 65_536)) grown.push(completed);
    expect(grown).toEqual([
      { level: 1, index: 0, offset: 255, hash: tree.subtree(65_280, 65_536) },
      { level: 2, index: 0, offset: 0, hash: tree.root(65_536) },
    ]);
    expect(tiles.reads).toEqual(['0/255', '1/0']);
  });
});

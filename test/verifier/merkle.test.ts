import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, toHex } from '../../src/verifier/bytes.js';
import {
  type Consistency,
  emptyRoot,
  type Inclusion,
  leafHash,
  nodeHash,
  verifyConsistency,
  verifyInclusion,
} from '../../src/verifier/merkle.js';
import { leafOf, leavesOf, naiveTree } from './naive-tree.js';
import { manyHashes, positions, rfcConsistency, rfcInclusion } from './rfc-9162.js';

const most = 70;
const leaves = leavesOf(most);
const tree = naiveTree(leaves);
const leafAt = (index: number): Uint8Array => leaves[index] ?? leafOf('another');
const flip = (hash: Uint8Array, bit: number): Uint8Array =>
  hash.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

const inclusion = (index: number, size: number): Inclusion => ({
  leaf: leafAt(index),
  index,
  size,
  proof: tree.inclusion(index, size),
  root: tree.root(size),
});
const consistency = (from: number, to: number): Consistency => ({
  from,
  fromRoot: tree.root(from),
  to,
  toRoot: tree.root(to),
  proof: tree.consistency(from, to),
});

/** The proof with one thing wrong, in every way that keeps or changes its length. */
function* spoiled(proof: readonly Uint8Array[]): Generator<Uint8Array[]> {
  for (const [at, hash] of proof.entries()) {
    yield proof.with(at, flip(hash, (37 * at) % 256));
    yield proof.with(at, hash.subarray(1));
    yield proof.with(at, concat(hash, Uint8Array.of(0)));
    yield proof.toSpliced(at, 1);
    yield proof.toSpliced(at, 0, hash);
    if (at > 0) yield proof.with(at, proof[at - 1] ?? hash).with(at - 1, hash);
  }
  yield [...proof, emptyRoot];
  yield [emptyRoot, ...proof];
  yield [...proof, new Uint8Array()];
}

describe('hashes', () => {
  it('are those of RFC 6962', () => {
    expect(toHex(emptyRoot)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(toHex(leafHash(new Uint8Array()))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(leafHash(new TextEncoder().encode('entry 3'))).toEqual(leafAt(3));
    expect(nodeHash(leafAt(0), leafAt(1))).toEqual(tree.root(2));
  });
});

describe('inclusion', () => {
  it(`of every leaf is verified in every tree of up to ${most} leaves`, () => {
    for (let size = 1; size <= most; size += 1) {
      for (let index = 0; index < size; index += 1) expect(verifyInclusion(inclusion(index, size))).toBeNull();
    }
  });

  it('is refused when anything of it is changed', () => {
    for (let size = 1; size <= 20; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const right = inclusion(index, size);
        const wrong: Inclusion[] = [
          ...[...spoiled(right.proof)].map((proof) => ({ ...right, proof })),
          ...Array.from({ length: size + 2 }, (_, other) => ({ ...right, index: other })).toSpliced(index, 1),
          { ...right, leaf: flip(right.leaf, 9) },
          { ...right, leaf: new Uint8Array() },
          { ...right, root: flip(right.root, 255) },
          { ...right, root: new Uint8Array() },
          { ...right, size: 0 },
          { ...right, size: index },
          { ...right, size: 2 * size },
        ];
        for (const claim of wrong) expect(verifyInclusion(claim)).toEqual(expect.any(String));
      }
    }
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d as index and as size', (count) => {
    expect(verifyInclusion({ ...inclusion(0, 1), index: count })).toEqual(expect.any(String));
    expect(verifyInclusion({ ...inclusion(0, 1), size: count })).toEqual(expect.any(String));
  });

  it('agrees with the steps of RFC 9162 in trees of any size', () => {
    fc.assert(
      fc.property(positions, manyHashes, ({ index, size }, given) => {
        const claim = { leaf: leafAt(0), index, size, ...rfcInclusion(leafAt(0), BigInt(index), BigInt(size), given) };
        expect(verifyInclusion(claim)).toBeNull();
        for (const proof of spoiled(claim.proof)) {
          expect(verifyInclusion({ ...claim, proof })).toEqual(expect.any(String));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('hashes nothing of a proof that is too long', () => {
    const proof = new Array<Uint8Array>(1_000_000).fill(emptyRoot);
    const from = performance.now();
    expect(verifyInclusion({ ...inclusion(0, 70), proof })).toBe('the proof has 1000000 hashes and needs 7');
    expect(verifyConsistency({ ...consistency(3, 70), proof })).toBe('the proof has 1000000 hashes and needs 8');
    expect(performance.now() - from).toBeLessThan(1000);
  });
});

describe('consistency', () => {
  it(`is verified between all trees of up to ${most} leaves`, () => {
    for (let to = 1; to <= most; to += 1) {
      for (let from = 1; from <= to; from += 1) expect(verifyConsistency(consistency(from, to))).toBeNull();
    }
  });

  it('is refused when anything of it is changed', () => {
    for (let to = 1; to <= 20; to += 1) {
      for (let from = 1; from <= to; from += 1) {
        const right = consistency(from, to);
        const wrong: Consistency[] = [
          ...[...spoiled(right.proof)].map((proof) => ({ ...right, proof })),
          ...Array.from({ length: to + 2 }, (_, other) => ({ ...right, from: other })).toSpliced(from, 1),
          { ...right, fromRoot: flip(right.fromRoot, 9) },
          { ...right, toRoot: flip(right.toRoot, 255) },
          { ...right, fromRoot: new Uint8Array() },
          { ...right, toRoot: new Uint8Array() },
          { ...right, to: from - 1 },
          { ...right, to: 2 * to },
        ];
        if (from < to) wrong.push({ ...right, fromRoot: right.toRoot, toRoot: right.fromRoot });
        for (const claim of wrong) expect(verifyConsistency(claim), JSON.stringify(claim)).toEqual(expect.any(String));
      }
    }
  });

  it('says nothing of an empty tree but that it is itself', () => {
    const empty = { from: 0, fromRoot: emptyRoot, to: 0, toRoot: emptyRoot, proof: [] };
    expect(verifyConsistency(empty)).toBeNull();
    const other = leafAt(0);
    expect(verifyConsistency({ ...empty, fromRoot: other, toRoot: other })).toMatch(/not the root of an empty tree/);
    const short = new Uint8Array(3);
    for (const size of [0, 1, 7]) {
      expect(verifyConsistency({ from: size, fromRoot: short, to: size, toRoot: short, proof: [] })).toMatch(
        /32 bytes/,
      );
    }
    expect(verifyConsistency({ ...empty, to: 1, toRoot: leafAt(0) })).toEqual(expect.any(String));
    expect(verifyConsistency({ ...empty, to: 1, toRoot: leafAt(0), proof: [leafAt(0)] })).toEqual(expect.any(String));
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses %d as a size', (count) => {
    expect(verifyConsistency({ ...consistency(1, 2), from: count })).toEqual(expect.any(String));
    expect(verifyConsistency({ ...consistency(1, 2), to: count })).toEqual(expect.any(String));
  });

  it('agrees with the steps of RFC 9162 between trees of any size', () => {
    fc.assert(
      fc.property(positions, manyHashes, ({ index: from, size: to }, given) => {
        fc.pre(from > 0);
        const claim = { from, to, ...rfcConsistency(BigInt(from), BigInt(to), given) };
        expect(verifyConsistency(claim)).toBeNull();
        for (const proof of spoiled(claim.proof)) {
          expect(verifyConsistency({ ...claim, proof })).toEqual(expect.any(String));
        }
      }),
      { numRuns: 50 },
    );
  });
});

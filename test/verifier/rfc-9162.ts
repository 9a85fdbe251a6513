import { createHash } from 'node:crypto';
import fc from 'fast-check';

/** The steps of RFC 9162 as they are written there, in big integers, taking from `given` as many hashes as they need. */
const node = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(Uint8Array.of(1)).update(left).update(right).digest());

interface Given {
  readonly used: number;
  readonly next: () => Uint8Array;
}

function taking(given: readonly Uint8Array[]): Given {
  let used = 0;
  return {
    get used() {
      return used;
    },
    next: () => {
      used += 1;
      return given[used - 1] ?? new Uint8Array(32);
    },
  };
}

/** §2.1.3.2. @returns the proof that was used, and the root it leads to */
export function rfcInclusion(leaf: Uint8Array, index: bigint, size: bigint, given: readonly Uint8Array[]) {
  let [fn, sn, r] = [index, size - 1n, leaf];
  const hashes = taking(given);
  while (sn > 0n) {
    const p = hashes.next();
    if (fn % 2n === 1n || fn === sn) {
      r = node(p, r);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else r = node(r, p);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return { proof: given.slice(0, hashes.used), root: r };
}

/** §2.1.4.2 for 0 < from < to. @returns the proof that was used, and the roots it leads to */
export function rfcConsistency(from: bigint, to: bigint, given: readonly Uint8Array[]) {
  const hashes = taking(given);
  // Where `from` is a power of two, its root is put before the proof.
  const isPower = (from & (from - 1n)) === 0n;
  const first = hashes.next();
  let [fn, sn] = [from - 1n, to - 1n];
  while (fn % 2n === 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let [fr, sr] = [first, first];
  while (sn > 0n) {
    const c = hashes.next();
    if (fn % 2n === 1n || fn === sn) {
      [fr, sr] = [node(c, fr), node(c, sr)];
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else sr = node(sr, c);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return { proof: given.slice(isPower ? 1 : 0, hashes.used), fromRoot: fr, toRoot: sr };
}

/** Counts of every magnitude up to 2^53 - 1, near powers of two more often than chance has it. */
const counts = fc
  .tuple(fc.integer({ min: 0, max: 53 }), fc.integer({ min: -3, max: 3 }), fc.maxSafeNat(), fc.boolean())
  .map(([power, off, any, near]) => (near ? 2 ** power + off : Math.floor(any / 2 ** (53 - power))))
  .map((count) => Math.min(Math.max(count, 1), Number.MAX_SAFE_INTEGER));

/** A size and an index below it. */
export const positions = fc
  .tuple(counts, counts, fc.boolean())
  .map(([size, other, last]) => ({ size, index: last ? size - 1 : other % size }));

/** More hashes than any proof has. */
export const manyHashes = fc
  .array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { minLength: 1, maxLength: 5 })
  .map((few) =>
    Array.from({ length: 60 }, (_, at) => node(few[at % few.length] ?? new Uint8Array(32), Uint8Array.of(at))),
  );

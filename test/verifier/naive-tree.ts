import { createHash } from 'node:crypto';

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(Buffer.concat(parts)).digest());

/** The hash of a leaf whose entry is this text. */
export const leafOf = (entry: string | Uint8Array): Uint8Array => sha256(Uint8Array.of(0), Buffer.from(entry));

/** As many leaf hashes as asked for, all different. */
export const leavesOf = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, at) => leafOf(`entry ${at}`));

/** RFC 6962 §2.1 as its formulas are there, over the first `size` of these leaf hashes. It only remembers roots. */
export function naiveTree(leaves: readonly Uint8Array[]) {
  const roots = new Map<string, Uint8Array>();
  const mth = (start: number, end: number): Uint8Array => {
    const key = `${start}:${end}`;
    const known = roots.get(key);
    if (known) return known;
    const split = start + largestPowerBelow(end - start);
    const only = end - start === 1 ? leaves[start] : undefined;
    const root = end === start ? sha256() : (only ?? sha256(Uint8Array.of(1), mth(start, split), mth(split, end)));
    roots.set(key, root);
    return root;
  };
  const path = (index: number, start: number, end: number): Uint8Array[] => {
    if (end - start === 1) return [];
    const split = start + largestPowerBelow(end - start);
    return index < split
      ? [...path(index, start, split), mth(split, end)]
      : [...path(index, split, end), mth(start, split)];
  };
  const subproof = (size: number, start: number, end: number, known: boolean): Uint8Array[] => {
    if (size === end) return known ? [] : [mth(start, end)];
    const split = start + largestPowerBelow(end - start);
    return size <= split
      ? [...subproof(size, start, split, known), mth(split, end)]
      : [...subproof(size, split, end, false), mth(start, split)];
  };
  return {
    root: (size: number) => mth(0, size),
    /** The root of the leaves from `start` to before `end`. */
    subtree: mth,
    inclusion: (index: number, size: number) => path(index, 0, size),
    consistency: (from: number, to: number) => subproof(from, 0, to, true),
  };
}

function largestPowerBelow(count: number): number {
  let power = 1;
  while (2 * power < count) power *= 2;
  return power;
}

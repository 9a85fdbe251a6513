import { sha256 } from '@noble/hashes/sha2.js';
import { concat, equal } from './bytes.js';

/** Bytes of a SHA-256 hash. */
export const hashLength = 32;

/** The root of a tree without leaves: SHA-256 of no bytes (RFC 6962 §2.1). */
export const emptyRoot: Uint8Array = sha256(new Uint8Array());

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** SHA-256(0x00 ‖ entry), 32 bytes (RFC 6962 §2.1). */
export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256(concat(leafPrefix, entry));
}

/** SHA-256(0x01 ‖ left ‖ right), 32 bytes (RFC 6962 §2.1). The prefixes keep a leaf from being taken for an inner node. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concat(nodePrefix, left, right));
}

/** A node of a tree: its height above the starting node, and its index from the left at that height, both from 0. */
interface Sibling {
  readonly height: number;
  readonly index: number;
}

/**
 * The siblings on the path from `node` to the root, from the bottom up, when `last` is the last node at its height. A
 * last node without a sibling moves up unchanged. There are at most 53 siblings, because the number of leaves is a safe
 * integer. A sibling with an even index is on the left, one with an odd index on the right.
 */
export function siblings(node: number, last: number): Sibling[] {
  const met: Sibling[] = [];
  let [at, end] = [node, last];
  for (let height = 0; end > 0; height += 1) {
    if (at % 2 === 1) met.push({ height, index: at - 1 });
    else if (at < end) met.push({ height, index: at + 1 });
    [at, end] = [half(at), half(end)];
  }
  return met;
}

// Division and remainder are exact for all safe integers; bit operations use only the lower 32 bits.
const half = (value: number): number => Math.floor(value / 2);

/**
 * The largest complete subtree at the right edge of a tree of `from` leaves: its node and height, and the last node of
 * a tree of `to` leaves at that height. The consistency proof starts there. Node 0 is the whole older tree.
 */
export function rightEdge(from: number, to: number): { node: number; last: number; height: number } {
  let [node, last, height] = [from - 1, to - 1, 0];
  for (; node % 2 === 1; height += 1) [node, last] = [half(node), half(last)];
  return { node, last, height };
}

export interface Inclusion {
  /** The result of `leafHash`, 32 bytes. */
  readonly leaf: Uint8Array;
  /** At least 0 and less than `size`. */
  readonly index: number;
  /** Number of leaves of the tree that has `root`. */
  readonly size: number;
  /** Hashes of 32 bytes, from the leaf's sibling up. */
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/**
 * Whether the leaf is in the tree at that index (RFC 6962 §2.1.1, verified as RFC 9162 §2.1.3.2 says). The root does
 * not determine the size, and leaves on the left have the same proof for several sizes. So take root and size from one
 * signed checkpoint.
 * @returns null when it is, or a sentence that says what is wrong. It hashes nothing before it has checked the proof's
 * length.
 */
export function verifyInclusion({ leaf, index, size, proof, root }: Inclusion): string | null {
  if (!isCount(index) || !isCount(size)) return 'the index or the size is not a number of leaves';
  if (index >= size) return `a tree of ${size} leaves has no leaf ${index}`;
  const path = siblings(index, size - 1);
  if (proof.length !== path.length) return `the proof has ${proof.length} hashes and needs ${path.length}`;
  if (![leaf, ...proof].every(isHash)) return 'a hash of the proof does not have 32 bytes';
  let hash = leaf;
  for (const [at, sibling] of proof.entries()) {
    hash = isLeft(path[at]) ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
  }
  return equal(hash, root) ? null : 'the proof leads to another root';
}

export interface Consistency {
  /** Number of leaves of the older tree, which has `fromRoot`. */
  readonly from: number;
  readonly fromRoot: Uint8Array;
  /** Number of leaves of the later tree, which has `toRoot`. */
  readonly to: number;
  readonly toRoot: Uint8Array;
  /** Hashes of 32 bytes, in the order of RFC 6962 §2.1.2. */
  readonly proof: readonly Uint8Array[];
}

/**
 * Whether the later tree starts with all leaves of the older one (RFC 6962 §2.1.2, verified as RFC 9162 §2.1.4.2 says).
 * An older tree that is empty is refused, because every tree extends it. Two trees of the same size are the same if
 * their roots are, and an empty tree has only one root.
 * @returns null when it does, or a sentence that says what is wrong. It hashes nothing before it has checked the
 * proof's length.
 */
export function verifyConsistency({ from, fromRoot, to, toRoot, proof }: Consistency): string | null {
  if (!isCount(from) || !isCount(to)) return 'a size is not a number of leaves';
  if (from > to) return `a tree of ${from} leaves cannot have grown to ${to}`;
  if (from === to) {
    if (proof.length > 0) return 'trees of the same size need no proof, and there is one';
    if (!isHash(fromRoot)) return 'a root does not have 32 bytes';
    if (!equal(fromRoot, toRoot)) return 'the trees have the same size and different roots';
    return from > 0 || equal(fromRoot, emptyRoot) ? null : 'this is not the root of an empty tree';
  }
  if (from === 0) return 'an empty tree proves nothing about a later one';
  const { node, last } = rightEdge(from, to);
  const path = siblings(node, last);
  const needed = node === 0 ? path.length : path.length + 1;
  if (proof.length !== needed) return `the proof has ${proof.length} hashes and needs ${needed}`;
  // The proof leaves out the older root when it is itself a node of the later tree.
  const [start, ...rest] = node === 0 ? [fromRoot, ...proof] : proof;
  if (!start || ![start, ...rest].every(isHash)) return 'a hash of the proof does not have 32 bytes';
  let [older, later] = [start, start];
  for (const [at, sibling] of rest.entries()) {
    if (isLeft(path[at])) {
      older = nodeHash(sibling, older);
      later = nodeHash(sibling, later);
    } else later = nodeHash(later, sibling); // This sibling has only leaves that are newer than the older tree.
  }
  if (!equal(older, fromRoot)) return 'the proof does not lead to the older root';
  return equal(later, toRoot) ? null : 'the proof does not lead to the later root';
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const isHash = (hash: Uint8Array): boolean => hash.length === hashLength;
const isLeft = (sibling: Sibling | undefined): boolean => sibling !== undefined && sibling.index % 2 === 0;

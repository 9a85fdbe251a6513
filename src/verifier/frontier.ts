import { emptyRoot, nodeHash } from './merkle.js';

/** A complete subtree of a growing tree. */
export interface Subtree {
  /** The height above the leaves: the subtree has 2^height leaves. */
  readonly height: number;
  /** The position from the left among the subtrees of its height, from 0. */
  readonly index: number;
  readonly hash: Uint8Array;
}

/**
 * The right edge of a growing tree (RFC 6962 §2.1): the roots of the complete subtrees that its leaves are in, at most
 * 53 of them. Nothing else is needed to add leaves and to compute the root at every size.
 */
export interface Frontier {
  size(): number;
  /** 32 bytes. */
  root(): Uint8Array;
  /**
   * Appends a complete subtree: a leaf hash, of height 0, or the root of 2^height leaves. The current size must be a
   * multiple of 2^height.
   * @returns the added subtree, and then every subtree that it has completed
   */
  add(hash: Uint8Array, height?: number): Subtree[];
}

/** The frontier of an empty tree. Adding a leaf costs about one hash; computing the root costs one hash for each subtree. */
export function openFrontier(): Frontier {
  const edge: Subtree[] = [];
  let size = 0;
  return {
    size: () => size,
    root: () => edge.reduceRight<Uint8Array | null>(join, null) ?? emptyRoot,
    add(hash, height = 0) {
      const leaves = 2 ** height;
      if (size % leaves !== 0) throw new RangeError(`a subtree of ${leaves} leaves cannot follow ${size} leaves`);
      let top: Subtree = { height, index: size / leaves, hash };
      const completed = [top];
      while (top.index % 2 === 1) {
        const left = edge.pop();
        if (!left) break;
        top = { height: top.height + 1, index: (top.index - 1) / 2, hash: nodeHash(left.hash, top.hash) };
        completed.push(top);
      }
      edge.push(top);
      size += leaves;
      return completed;
    },
  };
}

/** The part on the right may have any number of leaves, also none. */
function join(right: Uint8Array | null, { hash }: Subtree): Uint8Array {
  return right === null ? hash : nodeHash(hash, right);
}

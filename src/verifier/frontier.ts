import { emptyRoot, nodeHash } from './merkle.js';

/** A complete subtree that a growing tree has come to have. */
export interface Subtree {
  /** Above the leaves: it has 2^height of them. */
  readonly height: number;
  /** From the left among the subtrees of its height, from 0. */
  readonly index: number;
  readonly hash: Uint8Array;
}

/**
 * The right edge of a growing tree (RFC 6962 §2.1): the roots of the complete subtrees that its leaves are in, at most 53
 * of them. It is all that is needed to go on with the tree and to know its root at every size on the way.
 */
export interface Frontier {
  size(): number;
  /** 32 bytes. */
  root(): Uint8Array;
  /**
   * Puts a complete subtree behind what is there: a leaf hash, of height 0, or the root of 2^height leaves. The size so
   * far must be a multiple of as many.
   * @returns every subtree that became complete by it, itself first
   */
  add(hash: Uint8Array, height?: number): Subtree[];
}

/** Of a tree without leaves. Takes one hash for each leaf that is added, and one for each subtree to know the root. */
export function openFrontier(): Frontier {
  const edge: Subtree[] = [];
  let size = 0;
  return {
    size: () => size,
    root: () => edge.reduceRight<Uint8Array | null>(join, null) ?? emptyRoot,
    add(hash, height = 0) {
      const leaves = 2 ** height;
      if (size % leaves !== 0) throw new RangeError(`a subtree of ${leaves} leaves cannot stand behind ${size}`);
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

/** The subtree on the right may have any number of leaves, and none. */
function join(right: Uint8Array | null, { hash }: Subtree): Uint8Array {
  return right === null ? hash : nodeHash(hash, right);
}

import { toHex } from '../../verifier/bytes.js';
import { emptyRoot } from '../../verifier/merkle.js';
import type { LastSigned } from '../turn.js';

/** The log of a store, computed again from its leaves. Roots are in lowercase hex. */
export interface WholeLog {
  /** The number of leaves, without those behind one that is missing. */
  readonly size: number;
  /** The roots of its first leaves, by their number: of every checkpoint below, and of every size that is requested. */
  readonly roots: ReadonlyMap<number, string>;
  /** The signed checkpoints according to the store, in any order. */
  readonly signed: readonly LastSigned[];
}

export interface Loss {
  /** The largest checkpoint that anyone knows. */
  readonly from: LastSigned;
  /** The largest checkpoint before all that was lost, of which every leaf is there. */
  readonly kept: LastSigned;
}

const nothing: LastSigned = { size: 0, root: toHex(emptyRoot) };

/**
 * What a store has lost of its log. A checkpoint is lost when the store does not have its leaves, or has others.
 * @param known checkpoints that were signed, as records, auditors and witnesses know them
 * @returns null when nothing is lost: such a log has no successor
 */
export function lossOf({ size, roots, signed }: WholeLog, known: readonly LastSigned[]): Loss | null {
  const isThere = (one: LastSigned) => one.size <= size && roots.get(one.size) === one.root;
  const all = [...known, ...signed].filter((one) => one.size > 0);
  const lost = all.filter((one) => !isThere(one));
  if (lost.length === 0) return null;
  const firstLost = Math.min(...lost.map((one) => one.size));
  return {
    // Of two trees of one size that were signed, the one that is not there any more is what readers have to know.
    from: largest([...lost, ...all]),
    kept: largest([nothing, ...signed.filter((one) => one.size < firstLost && isThere(one))]),
  };
}

/** The first one of the largest size, without what a record has beside it. */
function largest(checkpoints: readonly LastSigned[]): LastSigned {
  const { size, root } = checkpoints.reduce(
    (one, other) => (other.size > one.size ? other : one),
    checkpoints[0] ?? nothing,
  );
  return { size, root };
}

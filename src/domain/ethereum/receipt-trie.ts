import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Steps } from '../../base/steps.js';
import { encodeRlp, integer, type RlpValue } from './encode.js';

/** The Merkle–Patricia trie of a block's receipts, with the nodes on the path to one of them. */
interface ReceiptTrie {
  readonly root: Uint8Array;
  /** From the root down. */
  readonly proof: readonly Uint8Array[];
}

/** A receipt and its key as half bytes. */
interface Leaf {
  readonly path: readonly number[];
  readonly value: Uint8Array;
  readonly isProved: boolean;
}

const children = 16;
/** Hashing a piece takes a few milliseconds at most. */
const pieceBytes = 65_536;

/**
 * Builds the trie from all receipts of a block, in the order of their transactions. No node stands inside its parent,
 * because each receipt has more than 256 bytes.
 * @param proved the index of the receipt of which the proof is wanted
 */
export function* receiptTrie(receipts: readonly Uint8Array[], proved: number): Steps<ReceiptTrie> {
  const leaves = receipts.map((value, index) => ({ path: keyOf(index), value, isProved: index === proved }));
  const proof: Uint8Array[] = [];
  const root = yield* nodeOf(leaves, 0, proof);
  return { root, proof: proof.toReversed() };
}

/** @returns the hash of the node over these leaves, whose paths are the same before `depth` */
function* nodeOf(leaves: readonly Leaf[], depth: number, proof: Uint8Array[]): Steps<Uint8Array> {
  const [first] = leaves;
  if (!first) return keccak_256(encodeRlp(new Uint8Array(0)));
  const node = encodeRlp(yield* itemsOf(leaves, first, depth, proof));
  if (leaves.some(({ isProved }) => isProved)) proof.push(node);
  return yield* hashOf(node);
}

/** One receipt of a block may have megabytes, which take longer to hash than other work of the thread can wait. */
function* hashOf(node: Uint8Array): Steps<Uint8Array> {
  const hash = keccak_256.create();
  for (let at = 0; at < node.length; at += pieceBytes) {
    hash.update(node.subarray(at, at + pieceBytes));
    yield;
  }
  return hash.digest();
}

function* itemsOf(leaves: readonly Leaf[], first: Leaf, depth: number, proof: Uint8Array[]): Steps<RlpValue> {
  if (leaves.length === 1) return [writtenPath(first.path.slice(depth), true), first.value];
  const end = sharedUntil(leaves, first, depth);
  if (end > depth) return [writtenPath(first.path.slice(depth, end), false), yield* nodeOf(leaves, end, proof)];
  const items: RlpValue[] = [];
  for (let half = 0; half < children; half += 1) {
    const below = leaves.filter(({ path }) => path[depth] === half);
    items.push(below.length === 0 ? new Uint8Array(0) : yield* nodeOf(below, depth + 1, proof));
  }
  // The value of a branch, for a key that ends there. No key of a receipt does.
  return [...items, new Uint8Array(0)];
}

/** Up to where all paths are the same. */
function sharedUntil(leaves: readonly Leaf[], first: Leaf, depth: number): number {
  let end = depth;
  while (end < first.path.length && leaves.every(({ path }) => path[end] === first.path[end])) end += 1;
  return end;
}

/** The index of the transaction, encoded. */
function keyOf(index: number): number[] {
  return halfBytes(encodeRlp(integer(BigInt(index))));
}

/** Half bytes as bytes, with their kind before them: the second bit says leaf, the first one odd. */
function writtenPath(path: readonly number[], isLeaf: boolean): Uint8Array {
  const isOdd = path.length % 2 === 1;
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0);
  const halves = isOdd ? [flags, ...path] : [flags, 0, ...path];
  return Uint8Array.from(
    { length: halves.length / 2 },
    (_, at) => 16 * (halves[2 * at] ?? 0) + (halves[2 * at + 1] ?? 0),
  );
}

function halfBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes).flatMap((byte) => [byte >> 4, byte & 15]);
}

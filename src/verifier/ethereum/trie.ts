import { keccak_256 } from '@noble/hashes/sha3.js';
import { equal } from '../bytes.js';
import { Unreadable } from '../unreadable.js';
import { encodedNumber, type Item, readList, stringOf } from './rlp.js';

/** A reference to a node is its hash. */
const hashLength = 32;
const children = 16;
/** In bytes: 16 hashes with a byte before each, a byte for the value, and three for the whole. Hashing more takes time. */
const longestBranch = 532;
/** The first half byte of a path has these bits. */
const pathFlags = { odd: 1, leaf: 2 };
/** In bytes. A key has at most 8, and a path has one byte more for its kind. */
const longestPath = 9;

/**
 * Follows the Merkle–Patricia trie of a block's receipts from its root to the receipt of one transaction. A trie may also
 * have nodes inside their parents and values in branches, but the trie of receipts has neither: a receipt has more than 256
 * bytes, and none of its keys begins with another key.
 * @param nodes exactly the nodes of the path, from the root down
 * @returns the receipt's bytes
 * @throws Unreadable, with a sentence, for anything else
 */
export function receiptIn(root: Uint8Array, transaction: number, nodes: readonly Uint8Array[]): Uint8Array {
  const path = halfBytes(encodedNumber(transaction));
  let [expected, at] = [root, 0];
  for (const [depth, node] of nodes.entries()) {
    const what = `node ${depth} of the proof`;
    const isLast = depth === nodes.length - 1;
    if (!isLast && node.length > longestBranch) throw new Unreadable(`${what} is longer than a branch`);
    if (!equal(keccak_256(node), expected)) {
      throw new Unreadable(`${what} is not the one that ${depth === 0 ? 'the header' : 'the node before it'} names`);
    }
    const items = readList(node, what, children + 1);
    const step = items.length === 2 ? shortNode(items, path.slice(at), what) : branch(items, path[at], what);
    if (step.end && !isLast) throw new Unreadable('nodes follow the one with the receipt');
    if (step.end) return step.value;
    expected = step.value;
    at += step.length;
  }
  throw new Unreadable('the node with the receipt is missing');
}

/** The value at the end of the path, or the hash of the next node. */
interface Step {
  readonly end: boolean;
  readonly value: Uint8Array;
  /** How many half bytes of the path it takes. */
  readonly length: number;
}

function branch(items: readonly Item[], next: number | undefined, what: string): Step {
  if (items.length !== children + 1) throw new Unreadable(`${what} has neither 2 nor 17 items`);
  const references = items.slice(0, children).map((item) => stringOf(item, `a child of ${what}`));
  if (references.some(({ length }) => length !== 0 && length !== hashLength)) {
    throw new Unreadable(`${what} has a child that is not named by a hash`);
  }
  if (stringOf(items[children], `the value of ${what}`).length > 0) throw new Unreadable(`${what} has a value`);
  const value = next === undefined ? undefined : references[next];
  if (!value || value.length === 0) throw new Unreadable('the block has no transaction with this index');
  return { end: false, value, length: 1 };
}

/** A leaf or an extension: part of a path, and what is at its end. */
function shortNode(items: readonly Item[], rest: readonly number[], what: string): Step {
  const written = stringOf(items[0], `the path of ${what}`);
  if (written.length > longestPath) throw new Unreadable('the block has no transaction with this index');
  const [flags, ...halves] = halfBytes(written);
  if (flags === undefined || flags > (pathFlags.odd | pathFlags.leaf)) {
    throw new Unreadable(`the path of ${what} has no kind`);
  }
  const isOdd = (flags & pathFlags.odd) !== 0;
  const isLeaf = (flags & pathFlags.leaf) !== 0;
  // An even path has an unused half byte before it.
  if (!isOdd && halves[0] !== 0) throw new Unreadable(`the path of ${what} is not in its only form`);
  const own = isOdd ? halves : halves.slice(1);
  if (own.some((half, at) => half !== rest[at]) || (isLeaf && own.length !== rest.length)) {
    throw new Unreadable('the block has no transaction with this index');
  }
  if (isLeaf) return { end: true, value: stringOf(items[1], `the value of ${what}`), length: own.length };
  if (own.length === 0) throw new Unreadable(`${what} has an empty path`);
  return { end: false, value: stringOf(items[1], `the child of ${what}`, hashLength), length: own.length };
}

function halfBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes).flatMap((byte) => [byte >> 4, byte & 15]);
}

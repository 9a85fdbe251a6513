import { fromHex, toHex } from '../bytes.js';
import { attempt, Unreadable } from '../unreadable.js';
import { readBlock } from './header.js';
import { ethereumLimits } from './part.js';

/** The reader's own knowledge of Ethereum. None of it comes from the maker of the bundle. */
export interface TrustedBlocks {
  /** Hashes of blocks in lowercase hex. The reader says that they are on the chain that the bundle names. */
  readonly hashes?: ReadonlySet<string>;
  /** The answers of the reader's own node about its chain. */
  readonly node?: {
    readonly chainId: number;
    /** The hash of the block with this number, in lowercase hex; undefined when the node has not said it. */
    readonly hashAt: (number: number) => string | undefined;
    /** The newest block that the chain does not replace any more: it is finalized, or 64 others are above it. */
    readonly settledUntil: number;
  };
  /** The only contract whose events are anchors, 20 bytes. Any contract without it. */
  readonly contract?: Uint8Array;
}

/** The longest list of blocks, in characters: more than 60,000 hashes. */
export const longestBlockList = 4 * 1024 * 1024;

/**
 * Reads trusted blocks, one a line: the hash of a block, or its header as RLP, in hex, with or without 0x.
 * Empty lines are skipped, and so are lines that begin with #.
 * @returns their hashes in lowercase hex
 * @throws Unreadable, which names the line
 */
export function readBlockList(text: string): ReadonlySet<string> {
  if (text.length > longestBlockList) throw new Unreadable(`there are more than ${longestBlockList} characters`);
  const hashes = new Set<string>();
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.trim();
    if (line === '' || line.startsWith('#')) continue;
    const hash = attempt(() => readBlockLine(line));
    if (typeof hash === 'string') throw new Unreadable(`line ${index + 1}: ${hash}`);
    hashes.add(toHex(hash));
  }
  return hashes;
}

function readBlockLine(line: string): Uint8Array {
  const digits = line.toLowerCase().replace(/^0x/, '');
  if (digits.length > 2 * ethereumLimits.nodeBytes) throw new Unreadable('it is longer than a header');
  const bytes = fromHex(digits);
  return bytes.length === 32 ? bytes : readBlock(bytes).hash;
}

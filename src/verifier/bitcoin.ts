import { sha256 } from '@noble/hashes/sha2.js';
import { equal, toHex } from './bytes.js';
import { Unreadable } from './unreadable.js';

/**
 * A Bitcoin block header (80 bytes). Hashes have the byte order in which Bitcoin computes them, not the displayed one.
 */
export interface BlockHeader {
  readonly version: number;
  readonly previous: Uint8Array;
  readonly merkleRoot: Uint8Array;
  /**
   * Seconds since 1970, as the miner says: within two hours of the mining, and after the median of the 11 blocks
   * before.
   */
  readonly time: number;
  /** The target that the hash must not exceed, in the compact form that `targetOf` reads. */
  readonly bits: number;
  readonly nonce: number;
  /** Double SHA-256 of the 80 bytes. */
  readonly hash: Uint8Array;
}

const headerLength = 80;

/** @throws Unreadable for anything but 80 bytes */
export function parseHeader(bytes: Uint8Array): BlockHeader {
  if (bytes.length !== headerLength) throw new Unreadable(`a block header of ${bytes.length} bytes instead of 80`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerLength);
  return {
    version: view.getInt32(0, true),
    previous: Uint8Array.from(bytes.subarray(4, 36)),
    merkleRoot: Uint8Array.from(bytes.subarray(36, 68)),
    time: view.getUint32(68, true),
    bits: view.getUint32(72, true),
    nonce: view.getUint32(76, true),
    hash: sha256(sha256(bytes)),
  };
}

/** A hash as Bitcoin shows it: its bytes from last to first, in lowercase hex. */
export function shownHash(hash: Uint8Array): string {
  return toHex(hash.toReversed());
}

/**
 * The target that compact bits encode: 23 bits of mantissa times 256 to the power of (first byte - 3). Targets that
 * Bitcoin Core refuses (`SetCompact`, `CheckProofOfWork`) are refused here: negative ones, zero, and those that do not
 * fit into 256 bits.
 * @throws Unreadable
 */
export function targetOf(bits: number): bigint {
  const size = bits >>> 24;
  const mantissa = bits & 0x7fffff;
  const word = size <= 3 ? mantissa >>> (8 * (3 - size)) : mantissa;
  if (word === 0) throw new Unreadable('a block header whose target is zero');
  if ((bits & 0x800000) !== 0) throw new Unreadable('a block header whose target is negative');
  if (size > 34 || (word > 0xff && size > 33) || (word > 0xffff && size > 32)) {
    throw new Unreadable('a block header whose target does not fit into 256 bits');
  }
  return size <= 3 ? BigInt(word) : BigInt(word) << BigInt(8 * (size - 3));
}

/** The easiest target that is accepted from a header with this time (seconds since 1970). */
export type EasiestTarget = (time: number) => bigint;

const difficultyOne = targetOf(0x1d00ffff);

/**
 * Minimum difficulties: each is about half of the lowest difficulty that Bitcoin's main chain has had since that date.
 * They make it expensive to forge a header. Without them a header could claim difficulty 1, which takes a laptop some
 * minutes. At the oldest of these difficulties, one machine of 200 TH/s needs five days; at the newest, more than
 * twenty years. The minimum depends on the time in the header and not on the claimed height, so forging a time costs
 * what mining cost in that year.
 */
const floors = [
  { from: Date.UTC(2024, 0) / 1000, difficulty: 35_000_000_000_000n },
  { from: Date.UTC(2020, 0) / 1000, difficulty: 6_000_000_000_000n },
  // The oldest existing timestamps are of May 2015, when the difficulty was 47 billion. No lower minimum is needed for
  // earlier times.
  { from: 0, difficulty: 20_000_000_000n },
];

export const mainChain: EasiestTarget = (time) =>
  difficultyOne / (floors.find(({ from }) => time >= from)?.difficulty ?? difficultyOne);

/** @returns undefined for a header with enough work, or a sentence that says why its work is not accepted */
export function faultOfWork({ bits, hash, time }: BlockHeader, easiest: EasiestTarget = mainChain): string | undefined {
  let target: bigint;
  try {
    target = targetOf(bits);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
  if (target > easiest(time)) return 'a block header that was easier to mine than any block of its time';
  // As numbers, hashes are little-endian; shown, they are big-endian.
  if (BigInt(`0x${shownHash(hash)}`) > target) return 'a block header without the work that it claims';
  return undefined;
}

/** Whether the block of this header attests the message, which has Bitcoin's internal byte order, as in timestamps. */
export function attests(header: BlockHeader, message: Uint8Array): boolean {
  return equal(header.merkleRoot, message);
}
